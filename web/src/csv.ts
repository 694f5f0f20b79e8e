// SPDX-License-Identifier: Apache-2.0
// Lists of nodes as text: names, ids, and CSV that a spreadsheet opens without running anything.

/** One cell. A text that a spreadsheet would take for a formula gets an apostrophe before it; numbers stay numbers. */
export function csvCell(value: string | number | null): string {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const guarded = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
    return /[",\n\r]/.test(guarded) ? `"${guarded.replace(/"/g, '""')}"` : guarded;
}

export function csvText(head: string[], rows: (string | number | null)[][]): string {
    return [head, ...rows].map((row) => row.map(csvCell).join(",") + "\r\n").join("");
}

/** Hands text over as a file. */
export function saveText(name: string, text: string, type: string): void {
    const address = URL.createObjectURL(new Blob([text], { type }));
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Copies text; resolves to whether that was possible. */
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}
