// SPDX-License-Identifier: Apache-2.0
// An answer of the engine: JSON text, and behind it arrays of numbers (PROTOCOL.md, "An answer").

export type Numbers = Float32Array | Uint32Array | Uint8Array;

export interface Answer<T> {
    json: T;
    arrays: { [name: string]: Numbers };
}

const KINDS = {
    f4: { bytes: 4, view: (b: ArrayBuffer, at: number, n: number): Numbers => new Float32Array(b, at, n) },
    u4: { bytes: 4, view: (b: ArrayBuffer, at: number, n: number): Numbers => new Uint32Array(b, at, n) },
    u1: { bytes: 1, view: (b: ArrayBuffer, at: number, n: number): Numbers => new Uint8Array(b, at, n) },
};

type Row = [keyof typeof KINDS, number, number];

/** Reads an answer. The arrays look into `bytes` and copy nothing. Throws where the bytes are no answer. */
export function decode<T>(bytes: ArrayBuffer): Answer<T> {
    if (bytes.byteLength < 8 || new TextDecoder().decode(new Uint8Array(bytes, 0, 4)) !== "DGM1")
        throw new Error("The engine's answer does not begin with DGM1.");
    const length = new DataView(bytes).getUint32(4, true);
    if (8 + length > bytes.byteLength) throw new Error("The engine's answer ends inside its JSON text.");
    const json = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
    const arrays: { [name: string]: Numbers } = {};
    for (const [name, row] of Object.entries((json.arrays ?? {}) as { [name: string]: Row }))
        arrays[name] = viewOf(bytes, 8 + length, name, row);
    return { json: json as T, arrays };
}

function viewOf(bytes: ArrayBuffer, base: number, name: string, [kind, offset, count]: Row): Numbers {
    const how = KINDS[kind];
    if (!how) throw new Error(`The array '${name}' has the unknown type '${kind}'.`);
    const at = base + offset;
    if (at + count * how.bytes > bytes.byteLength) throw new Error(`The array '${name}' runs over the answer's end.`);
    return at % how.bytes === 0
        ? how.view(bytes, at, count)
        : how.view(bytes.slice(at, at + count * how.bytes), 0, count);
}
