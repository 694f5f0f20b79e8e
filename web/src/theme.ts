// SPDX-License-Identifier: Apache-2.0
// Light or dark: as the system has it, until somebody says otherwise.

const KEY = "dgm-theme";
const wish = matchMedia("(prefers-color-scheme: dark)");

function stored(): string | null {
    try {
        return localStorage.getItem(KEY);
    } catch {
        return null;
    }
}

export class Theme {
    private chosen = stored();

    constructor(private readonly changed: () => void) {
        this.apply();
        wish.addEventListener("change", () => this.apply(true));
    }

    get isDark(): boolean {
        return this.chosen ? this.chosen === "dark" : wish.matches;
    }

    toggle(): void {
        this.chosen = this.isDark ? "light" : "dark";
        try {
            localStorage.setItem(KEY, this.chosen);
        } catch {
            // It holds until the page is closed.
        }
        this.apply(true);
    }

    private apply(tells = false): void {
        document.documentElement.dataset["theme"] = this.isDark ? "dark" : "light";
        if (tells) this.changed();
    }
}
