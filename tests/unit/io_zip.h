/* SPDX-License-Identifier: Apache-2.0 */
/* Zip files in the folder of a test. Included after io_check.h. */
#ifndef IO_ZIP_H
#define IO_ZIP_H

#include <archive.h>
#include <archive_entry.h>

/* Writes a zip of that name whose members all hold "1 2\n", and returns its path. */
static inline const char *save_zip(const char *name, int count, const char *const *members) {
    const char *path = io_path(name);
    struct archive *zip = archive_write_new();
    archive_write_set_format_zip(zip);
    assert_int_equal(archive_write_open_filename(zip, path), ARCHIVE_OK);
    for (int i = 0; i < count; i++) {
        struct archive_entry *entry = archive_entry_new();
        archive_entry_set_pathname(entry, members[i]);
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_size(entry, 4);
        assert_int_equal(archive_write_header(zip, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(zip, "1 2\n", 4), 4);
        archive_entry_free(entry);
    }
    archive_write_free(zip);
    return path;
}

#endif
