// SPDX-License-Identifier: Apache-2.0
// Pointers on a canvas as what people mean by them: move it, zoom, point at, click.

export interface GestureEars {
    pan(dx: number, dy: number): void;
    /** Around a place in pixels from the upper left corner. */
    zoom(factor: number, x: number, y: number, glides: boolean): void;
    click(x: number, y: number, isTouch: boolean): void;
    hover(x: number, y: number): void;
    leave(): void;
}

/** A press that moves no more than this is a click. */
const STEADY = 5;

interface Place {
    x: number;
    y: number;
}

export class Gestures {
    private readonly pointers = new Map<number, Place>();
    private press: (Place & { moved: boolean }) | null = null;

    constructor(private readonly canvas: HTMLElement, private readonly ears: GestureEars) {
        canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        canvas.addEventListener("pointerdown", (event) => this.down(event));
        canvas.addEventListener("pointermove", (event) => this.move(event));
        canvas.addEventListener("pointerup", (event) => this.up(event));
        canvas.addEventListener("pointercancel", (event) => this.forget(event.pointerId));
        canvas.addEventListener("pointerleave", () => this.pointers.size || ears.leave());
        canvas.addEventListener("dblclick", (event) => {
            const { x, y } = this.local(event);
            ears.zoom(2, x, y, true);
        });
    }

    private local(event: MouseEvent): Place {
        const box = this.canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    private wheel(event: WheelEvent): void {
        event.preventDefault();
        const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
        const step = Math.max(-240, Math.min(240, event.deltaY * lines));
        const { x, y } = this.local(event);
        this.ears.zoom(Math.exp(-step * (event.ctrlKey ? 0.01 : 0.0016)), x, y, false);
    }

    private down(event: PointerEvent): void {
        if (event.button > 0) return;
        this.canvas.setPointerCapture(event.pointerId);
        const place = this.local(event);
        this.pointers.set(event.pointerId, place);
        this.press = this.pointers.size === 1 ? { ...place, moved: false } : null;
    }

    private move(event: PointerEvent): void {
        const now = this.local(event), before = this.pointers.get(event.pointerId);
        if (!before) return void (event.pointerType === "touch" || this.ears.hover(now.x, now.y));
        if (this.pointers.size === 2) this.pinch(event.pointerId, before, now);
        else if (this.press) this.drag(this.press, before, now);
        this.pointers.set(event.pointerId, now);
    }

    private drag(press: NonNullable<Gestures["press"]>, before: Place, now: Place): void {
        if (!press.moved && Math.hypot(now.x - press.x, now.y - press.y) < STEADY) return;
        const from = press.moved ? before : press;
        if (!press.moved) this.ears.leave();
        press.moved = true;
        this.ears.pan(now.x - from.x, now.y - from.y);
    }

    private pinch(id: number, before: Place, now: Place): void {
        const other = [...this.pointers].find(([key]) => key !== id)?.[1];
        if (!other) return;
        const factor = Math.hypot(now.x - other.x, now.y - other.y) / Math.max(1, Math.hypot(before.x - other.x, before.y - other.y));
        this.ears.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
        this.ears.zoom(factor, (now.x + other.x) / 2, (now.y + other.y) / 2, false);
    }

    private up(event: PointerEvent): void {
        const press = this.press;
        this.forget(event.pointerId);
        if (press && !press.moved) this.ears.click(press.x, press.y, event.pointerType === "touch");
    }

    private forget(pointer: number): void {
        this.pointers.delete(pointer);
        this.press = null;
    }
}
