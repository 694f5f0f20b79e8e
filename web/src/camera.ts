// SPDX-License-Identifier: Apache-2.0
// Where one looks at the map from: its point in the middle of the view, and how many pixels a unit takes.

export interface Camera {
    x: number;
    y: number;
    scale: number;
}

export interface Bounds {
    left: number;
    right: number;
    bottom: number;
    top: number;
}

/** What discs cover; where there are none, a square. */
export function boundsOf(discs: { x: ArrayLike<number>; y: ArrayLike<number>; radius: ArrayLike<number> }): Bounds {
    const bounds = { left: Infinity, right: -Infinity, bottom: Infinity, top: -Infinity };
    for (let i = 0; i < discs.x.length; i++) {
        const r = discs.radius[i]!;
        bounds.left = Math.min(bounds.left, discs.x[i]! - r);
        bounds.right = Math.max(bounds.right, discs.x[i]! + r);
        bounds.bottom = Math.min(bounds.bottom, discs.y[i]! - r);
        bounds.top = Math.max(bounds.top, discs.y[i]! + r);
    }
    return discs.x.length ? bounds : { left: -1, right: 1, bottom: -1, top: 1 };
}

/** The camera that shows everything within bounds, with margins in pixels at the sides of the view. */
export function fitCamera(bounds: Bounds, width: number, height: number, margin: Bounds): Camera {
    const wide = Math.max(bounds.right - bounds.left, 1e-6);
    const high = Math.max(bounds.top - bounds.bottom, 1e-6);
    const scale = Math.min(
        Math.max(40, width - margin.left - margin.right) / wide,
        Math.max(40, height - margin.top - margin.bottom) / high,
    );
    return {
        x: (bounds.left + bounds.right) / 2 + (margin.right - margin.left) / 2 / scale,
        y: (bounds.bottom + bounds.top) / 2 + (margin.top - margin.bottom) / 2 / scale,
        scale,
    };
}

/** The camera after zooming by a factor around a point of the view (pixels from its middle, y downwards). */
export function zoomCamera(camera: Camera, factor: number, px: number, py: number, least: number, most: number): Camera {
    const scale = Math.min(most, Math.max(least, camera.scale * factor));
    const shift = 1 / camera.scale - 1 / scale;
    return { x: camera.x + px * shift, y: camera.y - py * shift, scale };
}

/** Pixels that a unit of a mark's radius takes. Beyond the fit, marks grow more slowly than the map, so that those which lie
 * over each other come apart. */
export function discScale(scale: number, fitScale: number): number {
    return scale * Math.min(1, Math.max(scale / fitScale, 1e-9) ** -0.45);
}

export function mixCamera(a: Camera, b: Camera, t: number): Camera {
    return {
        x: a.x + (b.x - a.x) * t,
        y: a.y + (b.y - a.y) * t,
        scale: Math.exp(Math.log(a.scale) + (Math.log(b.scale) - Math.log(a.scale)) * t),
    };
}

/** "1.25,-0.3,80": for the address of the page. */
export function writeCamera(camera: Camera): string {
    return [camera.x, camera.y, camera.scale].map((value) => Number(value.toPrecision(4))).join(",");
}

export function readCamera(text: string): Camera | null {
    const [x, y, scale] = text.split(",").map(Number);
    if (x === undefined || y === undefined || scale === undefined) return null;
    return [x, y, scale].every(Number.isFinite) && scale > 0 ? { x, y, scale } : null;
}
