/** Shaders of the GL renderer. They draw what raster.ts draws; the check `renderers_agree` compares the two. */

export const vertexSource = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(location = 0) in uvec4 item;
layout(location = 1) in uint slot;
uniform sampler2D table;
uniform sampler2D columns;
uniform vec2 size;
uniform float ratio;
flat out vec4 own;      // left, top, right, bottom of the item without clipping
flat out uvec4 look;    // colour, flags, ratio, shape
flat out ivec2 hidden;  // 1: the left, the right end is open
flat out int dimmed;
flat out float begin;     // of the block, from which the hatch is counted
float rounded(float x) { return floor(x + 0.5); }
void main() {
  ivec2 at = ivec2(int(slot & 63u) * 2, int(slot >> 6));
  vec4 s = texelFetch(table, at, 0);
  vec4 t = texelFetch(table, at + ivec2(1, 0), 0);
  vec4 a = texelFetch(columns, ivec2(int(s.x), 0), 0);
  uint flags = (item.w >> 8) & 255u;
  uint shape = item.w >> 24;
  float left = max(0.0, rounded(a.z)), right = min(size.x, rounded(a.w));
  float top = max(0.0, rounded(s.w)), bottom = min(size.y, rounded(t.x));
  float px = max(1.0, rounded(ratio));
  bool openLeft = (flags & 8u) != 0u, openRight = item.y == 0xffffffffu;
  float x0 = openLeft ? left : rounded(a.x + float(item.x) * a.y);
  float x1 = openRight ? right : rounded(a.x + float(item.y) * a.y);
  if (shape == 4u || x1 <= x0) x1 = x0 + px;
  float gap = t.z > 0.5 && s.z >= 6.0 * ratio ? rounded(ratio) : 0.0;
  float y0 = rounded(s.y + float(item.z & 0xffffu) * s.z);
  float y1 = rounded(s.y + float(item.z >> 16) * s.z) - gap;
  if (y1 - y0 < px) y1 = y0 + px;
  own = vec4(x0, y0, x1, y1);
  look = uvec4(item.w & 255u, flags, (item.w >> 16) & 255u, shape);
  hidden = ivec2(openLeft ? 1 : 0, openRight ? 1 : 0);
  dimmed = t.y > 0.5 ? 1 : 0;
  begin = rounded(a.x);
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
  vec2 from = vec2(max(x0, left), max(y0, top)), to = vec2(min(x1, right), min(y1, bottom));
  bool isShown = t.w > 0.5 && to.x > from.x && to.y > from.y;
  vec2 place = isShown ? mix(from, to, corner) : vec2(-2.0);
  gl_Position = vec4(place.x / size.x * 2.0 - 1.0, 1.0 - place.y / size.y * 2.0, 0.0, 1.0);
}`;

export const fragmentSource = `#version 300 es
precision highp float;
precision highp int;
precision highp sampler2D;
flat in vec4 own;
flat in uvec4 look;
flat in ivec2 hidden;
flat in int dimmed;
flat in float begin;
uniform sampler2D colours;
uniform vec2 size;
uniform float ratio;
uniform int framed;
uniform vec4 special[3]; // canvas, lost, instant
out vec4 pixel;
vec4 tone(int t) { return vec4(texelFetch(colours, ivec2(int(look.x), t + dimmed * 6), 0).rgb, 1.0); }
void main() {
  vec2 p = vec2(floor(gl_FragCoord.x), floor(size.y - gl_FragCoord.y));
  float px = max(1.0, floor(ratio + 0.5));
  uint flags = look.y, shape = look.w;
  float width = own.z - own.x;
  if (shape == 0u || shape == 6u) {
    bool isAsync = shape == 6u;
    if (width < 3.0 * px) { pixel = tone(1); return; }
    pixel = tone(isAsync ? 3 : 0);
    if ((flags & 4u) != 0u) {
      float start = own.x + 0.4 * width;
      if (p.x >= floor(start)) pixel = mix(pixel, special[0], clamp(0.85 * (p.x - start) / max(1.0, own.z - start), 0.0, 0.85));
    }
    bool edge = p.y < own.y + px && (isAsync || framed == 1);
    edge = edge || (framed == 1 && !isAsync && p.y >= own.w - px);
    edge = edge || (hidden.x == 0 && p.x < own.x + px);
    edge = edge || (framed == 1 && hidden.y == 0 && (flags & 4u) == 0u && p.x >= own.z - px);
    if (edge) pixel = tone(1);
    if ((flags & 64u) != 0u && p.x >= own.z - 2.0 * px && (int(p.y - own.y) & 3) < 2) pixel = special[1];
  } else if (shape == 1u) {
    int lines = max(width < 4.0 * px ? 5 : 2, 2 + ((int(look.z) * 5) >> 8));
    pixel = (int(p.x - begin + p.y - own.y) & 7) < lines ? tone(1) : tone(4);
    if ((flags & 2u) != 0u && p.x < own.x + px && p.y < own.y + max(px, floor(0.3 * (own.w - own.y)))) pixel = special[2];
  } else if (shape == 7u) {
    float frame = framed == 1 ? px : 0.0;
    float right = hidden.y == 1 ? 0.0 : (flags & 64u) != 0u ? 2.0 * px : frame;
    if (width < 3.0 * px || p.x < own.x + (hidden.x == 1 ? 0.0 : px) || p.x >= own.z - right || p.y < own.y + frame || p.y >= own.w - frame) discard;
    pixel = tone(5);
  } else if (shape == 2u) pixel = tone(2);
  else if (shape == 3u || shape == 4u) pixel = tone(1);
  else pixel = tone((flags & 4u) != 0u ? 2 : 0);
}`;

export const plainVertexSource = `#version 300 es
precision highp float;
precision highp int;
layout(location = 0) in vec4 place;
layout(location = 1) in uvec2 look;
uniform vec2 size;
flat out uvec2 own;
void main() {
  own = look;
  vec2 p = mix(place.xy, place.zw, vec2(gl_VertexID & 1, gl_VertexID >> 1));
  gl_Position = vec4(p.x / size.x * 2.0 - 1.0, 1.0 - p.y / size.y * 2.0, 0.0, 1.0);
}`;

export const plainFragmentSource = `#version 300 es
precision highp float;
precision highp int;
uniform vec2 size;
flat in uvec2 own;
out vec4 pixel;
void main() {
  vec2 p = vec2(floor(gl_FragCoord.x), floor(size.y - gl_FragCoord.y));
  if (own.y == 1u && (int(p.x + p.y) & 7) >= 2) discard;
  pixel = vec4(float(own.x & 255u), float((own.x >> 8) & 255u), float((own.x >> 16) & 255u), 255.0) / 255.0;
}`;
