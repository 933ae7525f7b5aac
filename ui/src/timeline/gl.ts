/**
 * The renderer for hardware: rectangles are instances in an arena of 32 MiB, into which a chunk is copied once. A table
 * in a texture says where each chunk's items go, so panning and scrolling upload that table and nothing else.
 */
import { Arena, joinRanges, type Placed } from './arena';
import { toneCount, type Paint } from './paint';
import { itemWords, type Prepared } from './prepare';
import type { Renderer } from './raster';
import { fragmentSource, plainFragmentSource, plainVertexSource, vertexSource } from './shaders';
import type { Block, Scene } from './scene';

const arenaBytes = 32 << 20;
/** Words of an instance: those of the item, and the slot of its chunk. */
const instanceWords = itemWords + 1;
const arenaItems = Math.floor(arenaBytes / (4 * instanceWords));
/** Slots of the table: chunks on the screen. */
const slots = 4096;
/** Texels of a slot, of 4 floats: column, top, unit, first row; behind the last row, dimmed, counts lines, shown. */
const slotTexels = 2;
const slotFloats = 4 * slotTexels;
const rowFloats = 64 * slotFloats;
/** Columns: start, scale and clip that many chunks share, so that panning changes only these. */
const columnCount = 256;
const maxRanges = 12;

/** Returns true if the browser draws WebGL2 in hardware. */
export function hasHardware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  if (!context) return false;
  const info = context.getExtension('WEBGL_debug_renderer_info');
  const name = String(info ? context.getParameter(info.UNMASKED_RENDERER_WEBGL) : context.getParameter(context.RENDERER));
  context.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|software|softpipe|basic render/i.test(name);
}

function programOf(gl: WebGL2RenderingContext, vertex: string, fragment: string): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(type);
    if (!shader) throw new Error('no shader');
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader) ?? 'a shader does not compile');
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? 'a program does not link');
  return program;
}

/** Makes the GL renderer of a canvas, or returns null where WebGL2 is missing. `lost` is called when the context is lost. */
export function glRenderer(canvas: HTMLCanvasElement, lost: () => void): Renderer | null {
  const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false, preserveDrawingBuffer: false });
  if (!gl) return null;
  canvas.addEventListener('webglcontextlost', (e) => {
    e.preventDefault();
    lost();
  });
  const program = programOf(gl, vertexSource, fragmentSource);
  const plainProgram = programOf(gl, plainVertexSource, plainFragmentSource);
  const place = (name: string): WebGLUniformLocation | null => gl.getUniformLocation(program, name);
  const uniforms = { size: place('size'), ratio: place('ratio'), table: place('table'), columns: place('columns'), colours: place('colours'), framed: place('framed'), special: place('special') };
  const plainSize = gl.getUniformLocation(plainProgram, 'size');

  const arenaBuffer = gl.createBuffer();
  const arenaArray = gl.createVertexArray();
  gl.bindVertexArray(arenaArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, arenaBuffer);
  gl.bufferData(gl.ARRAY_BUFFER, arenaBytes, gl.DYNAMIC_DRAW);
  const pointArena = (first: number): void => {
    const stride = 4 * instanceWords;
    gl.vertexAttribIPointer(0, 4, gl.UNSIGNED_INT, stride, first * stride);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, stride, first * stride + 16);
  };
  for (const i of [0, 1]) {
    gl.enableVertexAttribArray(i);
    gl.vertexAttribDivisor(i, 1);
  }
  const plainBuffer = gl.createBuffer();
  const plainArray = gl.createVertexArray();
  gl.bindVertexArray(plainArray);
  gl.bindBuffer(gl.ARRAY_BUFFER, plainBuffer);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 24, 0);
  gl.vertexAttribDivisor(0, 1);
  gl.enableVertexAttribArray(1);
  gl.vertexAttribIPointer(1, 2, gl.UNSIGNED_INT, 24, 16);
  gl.vertexAttribDivisor(1, 1);

  const texture = (width: number, height: number, format: number): WebGLTexture | null => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texStorage2D(gl.TEXTURE_2D, 1, format, width, height);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return made;
  };
  const tableTexture = texture(64 * slotTexels, slots / 64, gl.RGBA32F);
  const colourTexture = texture(256, 2 * toneCount, gl.RGBA8);
  const columnTexture = texture(columnCount, 1, gl.RGBA32F);
  const table = new Float32Array(slots * slotFloats);
  const columns = new Float64Array(columnCount * 4);
  const columnFloats = new Float32Array(columnCount * 4);
  const changedRows = new Uint8Array(slots / 64);
  let plain = new ArrayBuffer(0);
  let plainFloats = new Float32Array(0);
  let plainWords = new Uint32Array(0);
  const staging = new Uint32Array(4096 * instanceWords);
  const nothing = new Uint32Array(4096 * instanceWords);
  const clear = ({ at, n }: Placed): void => {
    for (let from = 0; from < n; from += 4096) {
      gl.bufferSubData(gl.ARRAY_BUFFER, (at + from) * 4 * instanceWords, nothing, 0, Math.min(4096, n - from) * instanceWords);
    }
  };
  const arena = new Arena(arenaItems, slots, clear);
  const ranges: number[] = [];
  const hiddenSlots = new Uint8Array(slots);
  const colour = new Float32Array(12);
  let shownPaint: Paint | null = null;
  let frame = 0;
  let uploaded = 0;

  const copy = (items: Prepared, placed: Placed): void => {
    for (let from = 0; from < items.n; from += 4096) {
      const count = Math.min(4096, items.n - from);
      for (let i = 0; i < count; i += 1) {
        for (let w = 0; w < itemWords; w += 1) staging[i * instanceWords + w] = items.words[(from + i) * itemWords + w] ?? 0;
        staging[i * instanceWords + itemWords] = placed.slot;
      }
      gl.bufferSubData(gl.ARRAY_BUFFER, (placed.at + from) * 4 * instanceWords, staging, 0, count * instanceWords);
    }
    uploaded += items.n * 4 * instanceWords;
  };

  const drawPlain = (scene: Scene): void => {
    const bytes = 24 * scene.plains;
    if (plain.byteLength < bytes) {
      plain = new ArrayBuffer(2 * bytes);
      plainFloats = new Float32Array(plain);
      plainWords = new Uint32Array(plain);
    }
    for (let i = 0; i < scene.plains; i += 1) {
      for (let k = 0; k < 4; k += 1) plainFloats[6 * i + k] = Math.round(scene.plain[6 * i + k] ?? 0);
      plainWords[6 * i + 4] = scene.plain[6 * i + 4] ?? 0;
      plainWords[6 * i + 5] = scene.plain[6 * i + 5] ?? 0;
    }
    gl.useProgram(plainProgram);
    gl.bindVertexArray(plainArray);
    gl.bindBuffer(gl.ARRAY_BUFFER, plainBuffer);
    gl.bufferData(gl.ARRAY_BUFFER, plainFloats.subarray(0, 6 * scene.plains), gl.STREAM_DRAW);
    uploaded += bytes;
    gl.uniform2f(plainSize, scene.width, scene.height);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, scene.plains);
  };

  /** Writes a value of the table and notes the row if it is new. */
  const write = (at: number, value: number): void => {
    const rounded = Math.fround(value);
    if (table[at] === rounded) return;
    table[at] = rounded;
    changedRows[Math.floor(at / rowFloats)] = 1;
  };

  let usedColumns = 0;
  let lastColumn = 0;

  /** Returns the column of a block; neighbours in the list mostly share one. -1: there are too many. */
  const columnOf = (block: Block): number => {
    const isAt = (i: number): boolean => columns[4 * i] === block.x && columns[4 * i + 1] === block.scale && columns[4 * i + 2] === block.clipLeft && columns[4 * i + 3] === block.clipRight;
    if (lastColumn + 1 < usedColumns && isAt(lastColumn + 1)) return (lastColumn += 1);
    for (let i = 0; i < usedColumns; i += 1) if (isAt(i)) return (lastColumn = i);
    if (usedColumns === columnCount) return -1;
    columns[4 * usedColumns] = block.x;
    columns[4 * usedColumns + 1] = block.scale;
    columns[4 * usedColumns + 2] = block.clipLeft;
    columns[4 * usedColumns + 3] = block.clipRight;
    return (lastColumn = usedColumns++);
  };

  /** Places the blocks of a scene; returns how many ranges of the arena they are in. */
  const placeBlocks = (scene: Scene): number => {
    hiddenSlots.fill(1);
    usedColumns = 0;
    let count = 0;
    for (let i = 0; i < scene.blockCount; i += 1) {
      const block = scene.blocks[i];
      if (!block || block.items.n === 0) continue;
      const found = arena.place(block.items, frame);
      const column = columnOf(block);
      if (!found || column < 0) continue;
      if (found.isNew) copy(block.items, found.placed);
      const { slot, at, n } = found.placed;
      const to = slot * slotFloats;
      write(to, column);
      write(to + 1, block.y);
      write(to + 2, block.unit);
      write(to + 3, block.clipTop);
      write(to + 4, block.clipBottom);
      write(to + 5, block.isDimmed ? 1 : 0);
      write(to + 6, block.items.isLines ? 1 : 0);
      write(to + 7, 1);
      hiddenSlots[slot] = 0;
      ranges[2 * count] = at;
      ranges[2 * count + 1] = at + n;
      count += 1;
    }
    for (let slot = 0; slot < slots; slot += 1) if (hiddenSlots[slot] && table[slot * slotFloats + 7] !== 0) write(slot * slotFloats + 7, 0);
    uploadTables();
    return joinRanges(ranges, count, maxRanges);
  };

  const uploadTables = (): void => {
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, tableTexture);
    for (let row = 0; row < changedRows.length; row += 1) {
      if (!changedRows[row]) continue;
      changedRows[row] = 0;
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, row, 64 * slotTexels, 1, gl.RGBA, gl.FLOAT, table, row * rowFloats);
      uploaded += 4 * rowFloats;
    }
    columnFloats.set(columns.subarray(0, 4 * usedColumns));
    gl.activeTexture(gl.TEXTURE2);
    gl.bindTexture(gl.TEXTURE_2D, columnTexture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, columnCount, 1, gl.RGBA, gl.FLOAT, columnFloats);
    uploaded += 4 * columnFloats.length;
  };

  const takePaint = (paint: Paint): void => {
    if (shownPaint === paint) return;
    shownPaint = paint;
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, colourTexture);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 256, 2 * toneCount, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(paint.table.buffer));
    [paint.canvas, paint.lost, paint.instant].forEach((pixel, i) => {
      for (let k = 0; k < 4; k += 1) colour[4 * i + k] = ((pixel >>> (8 * k)) & 255) / 255;
    });
  };

  return {
    name: 'GL',
    get uploaded() {
      return uploaded;
    },
    draw(scene, paint) {
      frame += 1;
      uploaded = 0;
      takePaint(paint);
      gl.viewport(0, 0, scene.width, scene.height);
      gl.clearColor(colour[0] ?? 0, colour[1] ?? 0, colour[2] ?? 0, 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      drawPlain(scene);
      gl.bindVertexArray(arenaArray);
      gl.bindBuffer(gl.ARRAY_BUFFER, arenaBuffer);
      const count = placeBlocks(scene);
      gl.useProgram(program);
      gl.activeTexture(gl.TEXTURE1);
      gl.bindTexture(gl.TEXTURE_2D, colourTexture);
      gl.uniform1i(uniforms.table, 0);
      gl.uniform1i(uniforms.colours, 1);
      gl.uniform1i(uniforms.columns, 2);
      gl.uniform2f(uniforms.size, scene.width, scene.height);
      gl.uniform1f(uniforms.ratio, scene.ratio);
      gl.uniform1i(uniforms.framed, paint.isFramed ? 1 : 0);
      gl.uniform4fv(uniforms.special, colour);
      for (let i = 0; i < count; i += 1) {
        const from = ranges[2 * i] ?? 0;
        pointArena(from);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, (ranges[2 * i + 1] ?? 0) - from);
      }
      return count + 1;
    },
  };
}
