/* SPDX-License-Identifier: Apache-2.0 */
typedef int pipeline_empty;
