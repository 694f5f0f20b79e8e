// SPDX-License-Identifier: Apache-2.0
// Nodes and edges of a large drill-down by WebGL2, where a real graphics processor is there. What imitates one is slower than
// our own pixels (drillbase.ts), so it is not asked.
import { Camera, discScale } from "./camera";
import { Base, LEAST_RADIUS, PALE, rgbOf } from "./drillbase";
import { Palette, View } from "./paint";
import { Subgraph, coverage, edgeStrength, endsOf, paintOrder } from "./subgraph";

const EDGE_VERTEX = `#version 300 es
in vec2 place;
uniform vec2 middle, zoom;
void main() { gl_Position = vec4((place - middle) * zoom, 0.0, 1.0); }`;

const EDGE_FRAGMENT = `#version 300 es
precision mediump float;
uniform vec4 ink;
out vec4 colour;
void main() { colour = ink; }`;

// A square around each node, half as wide as the node's shapes are at most, in pixels.
const NODE_VERTEX = `#version 300 es
in vec2 corner, place;
in float size;
in vec3 fill;
in float form;
uniform vec2 middle, zoom, view;
uniform float disc, least;
out vec2 at;
out vec3 shade;
out float radius;
flat out float kind, strength;
void main() {
    radius = max(least, size * disc);
    at = corner * (radius * 1.26 + 1.5);
    shade = fill;
    kind = mod(form, 4.0);
    strength = form < 4.0 ? ${PALE} : 1.0;
    gl_Position = vec4((place - middle) * zoom + 2.0 * at / view, 0.0, 1.0);
}`;

const NODE_FRAGMENT = `#version 300 es
precision mediump float;
in vec2 at;
in vec3 shade;
in float radius;
flat in float kind, strength;
uniform vec3 ground;
out vec4 colour;
void main() {
    float away = length(at) - radius;
    if (kind > 1.5) away = (abs(at.x) + abs(at.y) - 1.253 * radius) * 0.7071;
    else if (kind > 0.5) away = max(abs(at.x), abs(at.y)) - 0.886 * radius;
    float cover = clamp(0.5 - away, 0.0, 1.0);
    float rim = radius < 2.5 ? 0.0 : 0.38 * clamp(away + 1.5, 0.0, 1.0);
    vec3 own = mix(ground, shade * (1.0 - rim), strength);
    colour = vec4(own * cover, cover);
}`;

const IMITATED = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Whether the name of a renderer is that of a real graphics processor. */
export function isRealGpu(renderer: string): boolean {
    return renderer !== "" && !IMITATED.test(renderer);
}

/** So many edges are drawn while the view moves, to begin with; frames that come late make them fewer. */
const QUICK_EDGES = 250_000;

export class GlBase implements Base {
    readonly kind = "webgl";
    private readonly edges: Program;
    private readonly nodes: Program;
    private graph: Subgraph | null = null;
    private ratio = 1;
    private quick = QUICK_EDGES;
    private lastFrame = 0;
    private isDisposed = false;

    private constructor(readonly canvas: HTMLCanvasElement, private readonly gl: WebGL2RenderingContext, lost: () => void) {
        this.edges = new Program(gl, EDGE_VERTEX, EDGE_FRAGMENT);
        this.nodes = new Program(gl, NODE_VERTEX, NODE_FRAGMENT);
        this.nodes.attribute("corner", new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), 2, 0);
        canvas.addEventListener("webglcontextlost", (event) => {
            event.preventDefault();
            if (!this.isDisposed) lost();
        });
    }

    /** Null where there is no graphics processor; `force`: an imitation will do. `lost` is called when it goes away. */
    static make(lost: () => void, force: boolean): GlBase | null {
        const canvas = document.createElement("canvas");
        const gl = canvas.getContext("webgl2", { alpha: false, antialias: true, failIfMajorPerformanceCaveat: !force, powerPreference: "high-performance" });
        if (!gl) return null;
        const names = gl.getExtension("WEBGL_debug_renderer_info");
        const renderer = String(gl.getParameter(names ? names.UNMASKED_RENDERER_WEBGL : gl.RENDERER) ?? "");
        if (force || isRealGpu(renderer)) return new GlBase(canvas, gl, lost);
        gl.getExtension("WEBGL_lose_context")?.loseContext();
        return null;
    }

    resize(width: number, height: number, ratio: number): void {
        this.ratio = ratio;
        this.canvas.width = Math.max(1, Math.round(width * ratio));
        this.canvas.height = Math.max(1, Math.round(height * ratio));
        this.gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    }

    draw(graph: Subgraph, camera: Camera, view: View, palette: Palette, isQuick: boolean): boolean {
        if (graph !== this.graph) this.load(graph);
        const { gl } = this, ground = rgbOf(palette.ground).map((part) => part / 255);
        gl.clearColor(ground[0]!, ground[1]!, ground[2]!, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        this.drawEdges(graph, camera, view, palette, isQuick);
        this.drawNodes(graph, camera, view, ground);
        return false;
    }

    dispose(): void {
        this.isDisposed = true;
        this.canvas.remove();
        this.gl.getExtension("WEBGL_lose_context")?.loseContext();
    }

    private load(graph: Subgraph): void {
        this.graph = graph;
        this.edges.attribute("place", endsOf(graph), 2, 0);
        const order = Array.from(paintOrder(graph));
        this.nodes.attribute("place", Float32Array.from(order.flatMap((i) => [graph.x[i]!, graph.y[i]!])), 2, 1);
        this.nodes.attribute("size", Float32Array.from(order, (i) => graph.radius[i]!), 1, 1);
        this.nodes.attribute("fill", Uint8Array.from(order.flatMap((i) => [0, 1, 2].map((k) => graph.fill[3 * i + k]!))), 3, 1);
        this.nodes.attribute("form", Float32Array.from(order, (i) => (graph.shape[i] ?? 0) + (graph.core[i] ? 4 : 0)), 1, 1);
    }

    private drawEdges(graph: Subgraph, camera: Camera, view: View, palette: Palette, isQuick: boolean): void {
        const count = Math.min(graph.edges, isQuick ? this.pace() : graph.edges);
        if (!count) return;
        const strength = edgeStrength(coverage(graph, { ...camera, scale: camera.scale * this.ratio }, this.canvas.width, this.canvas.height));
        const alpha = 1 - (1 - strength) ** (graph.edges / count);
        const ink = rgbOf(palette.soft).map((part) => (part / 255) * alpha);
        this.edges.use();
        this.edges.camera(camera, view);
        this.gl.uniform4f(this.edges.uniform("ink"), ink[0]!, ink[1]!, ink[2]!, alpha);
        this.gl.drawArrays(this.gl.LINES, 0, 2 * count);
    }

    /** How many edges a moving frame draws: fewer when frames come late, more when they do not. */
    private pace(): number {
        const now = performance.now(), gap = now - this.lastFrame;
        this.lastFrame = now;
        if (gap > 26 && gap < 200) this.quick = Math.max(20_000, this.quick * 0.7);
        else if (gap < 19) this.quick = Math.min(4e6, this.quick * 1.05);
        return Math.round(this.quick);
    }

    private drawNodes(graph: Subgraph, camera: Camera, view: View, ground: number[]): void {
        const { gl, nodes } = this;
        nodes.use();
        nodes.camera(camera, view);
        gl.uniform2f(nodes.uniform("view"), this.canvas.width, this.canvas.height);
        gl.uniform1f(nodes.uniform("disc"), discScale(camera.scale, view.fitScale) * this.ratio);
        gl.uniform1f(nodes.uniform("least"), LEAST_RADIUS * this.ratio);
        gl.uniform3f(nodes.uniform("ground"), ground[0]!, ground[1]!, ground[2]!);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, graph.nodes);
    }
}

/** A program of the graphics processor with its arrays. */
class Program {
    private readonly program: WebGLProgram;
    private readonly array: WebGLVertexArrayObject;
    private readonly buffers = new Map<string, WebGLBuffer>();
    private readonly uniforms = new Map<string, WebGLUniformLocation | null>();

    constructor(private readonly gl: WebGL2RenderingContext, vertex: string, fragment: string) {
        this.program = gl.createProgram()!;
        this.array = gl.createVertexArray()!;
        for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
            const shader = gl.createShader(kind)!;
            gl.shaderSource(shader, text);
            gl.compileShader(shader);
            gl.attachShader(this.program, shader);
        }
        gl.linkProgram(this.program);
        if (!gl.getProgramParameter(this.program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(this.program) ?? "The shaders do not fit.");
    }

    use(): void {
        this.gl.useProgram(this.program);
        this.gl.bindVertexArray(this.array);
    }

    uniform(name: string): WebGLUniformLocation | null {
        if (!this.uniforms.has(name)) this.uniforms.set(name, this.gl.getUniformLocation(this.program, name));
        return this.uniforms.get(name) ?? null;
    }

    camera(camera: Camera, view: View): void {
        this.gl.uniform2f(this.uniform("middle"), camera.x, camera.y);
        this.gl.uniform2f(this.uniform("zoom"), (2 * camera.scale) / view.width, (2 * camera.scale) / view.height);
    }

    /** Gives an attribute its values; `divisor` 1: one for each node rather than for each corner. */
    attribute(name: string, values: Float32Array | Uint8Array, width: number, divisor: number): void {
        const { gl } = this;
        const buffer = this.buffers.get(name) ?? gl.createBuffer()!;
        this.buffers.set(name, buffer);
        const at = gl.getAttribLocation(this.program, name);
        gl.bindVertexArray(this.array);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
        if (at < 0) return;
        gl.enableVertexAttribArray(at);
        gl.vertexAttribPointer(at, width, values instanceof Uint8Array ? gl.UNSIGNED_BYTE : gl.FLOAT, values instanceof Uint8Array, 0, 0);
        gl.vertexAttribDivisor(at, divisor);
    }
}
