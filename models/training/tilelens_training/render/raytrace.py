"""A small ray tracer for tables with tiles: rounded boxes and discs on a plane, one light, soft shadows.

    picture, owner = trace(bodies, table, camera, light, size, samples=3, seed=1)

`picture` is linear light, float32 RGB order as given by the textures; `owner` names for each pixel the body
whose top (index + 1) or bottom (-(index + 1)) fills it, or 0. Lengths are tile widths; the table is z = 0.
"""

import math
from dataclasses import dataclass

import numpy as np
from numba import njit

BOX, DISC = 0, 1
BLOCK = 16  # pixels; bodies are listed for each block of the picture
LEVELS = 4  # each texture level is half the size of the one before
SHADE_CELLS = 288  # cells of the longer side of the map of light on the table


@dataclass
class Camera:
    """A pinhole with one coefficient of radial distortion."""

    eye: np.ndarray
    axes: np.ndarray  # rows: right, down, forward
    focal: float  # pixels
    centre: np.ndarray  # pixels
    distortion: float = 0.0  # r' = r (1 + distortion r^2), r in focal lengths

    def project(self, points):
        """World points (..., 3) to pixels (..., 2) and their depth."""
        local = (np.asarray(points, np.float64) - self.eye) @ self.axes.T
        depth = local[..., 2]
        flat = local[..., :2] / np.maximum(depth, 1e-6)[..., None]
        radius = (flat**2).sum(-1, keepdims=True)
        return flat * (1 + self.distortion * radius) * self.focal + self.centre, depth


@dataclass
class Bodies:
    """Everything that stands on the table, one row each."""

    centre: np.ndarray  # n x 3
    axes: np.ndarray  # n x 3 x 3, rows: right, down (of the top), outward from the top
    half: np.ndarray  # n x 3 half lengths along the axes
    rounding: np.ndarray  # n
    kind: np.ndarray  # n, BOX or DISC
    top: np.ndarray  # n, texture of the top or -1
    bottom: np.ndarray  # n, texture of the bottom or -1
    colour: np.ndarray  # n x 4 x 3: top, bottom, side near the top, side near the bottom; linear
    split: np.ndarray  # n, share of the side that has the colour near the top
    gloss: np.ndarray  # n
    textures: tuple  # LEVELS arrays, count x h x w x 3 uint8

    def corners(self):
        """The eight corners of each body's sharp box: the top clockwise from its top left, then the bottom."""
        signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]], float)
        signs = np.vstack([np.c_[signs, np.ones(4)], np.c_[signs, -np.ones(4)]])
        return self.centre[:, None] + np.einsum("ck,nk,nkd->ncd", signs, self.half, self.axes)


@dataclass
class Table:
    """The plane z = 0 with its texture, and what lies beyond it."""

    texture: np.ndarray  # h x w x 3 uint8
    axes: np.ndarray  # 2 x 2, texture coordinates (0..1, repeating by mirroring) of one tile width
    origin: np.ndarray  # 2
    extent: np.ndarray  # x0, y0, x1, y1 of the table's top
    surround: np.ndarray  # h x w x 3 uint8, laid over the picture behind the table
    gloss: float
    flat: bool = False  # the texture is laid over the picture, not over the plane


@dataclass
class Light:
    """One lamp, its reflection, and the light from all around."""

    direction: np.ndarray  # to the lamp, unit
    colour: np.ndarray
    ambient: np.ndarray
    softness: float  # radians
    centre: np.ndarray  # 2, where on the table the lamp is brightest
    spread: float  # tile widths over which it fades
    window: np.ndarray  # half sizes (2) of the lamp as seen mirrored, in sines


def mip(textures):
    """Texture levels for `Bodies.textures` from an n x h x w x 3 array."""
    levels = [np.ascontiguousarray(textures)]
    for _ in range(LEVELS - 1):
        t = levels[-1].astype(np.uint16)
        levels.append(((t[:, ::2, ::2] + t[:, 1::2, ::2] + t[:, ::2, 1::2] + t[:, 1::2, 1::2] + 2) // 4).astype(np.uint8))
    return tuple(levels)


_LINEAR = ((np.arange(256) / 255.0) ** 2.2).astype(np.float32)


@njit(cache=True, fastmath=True)
def _slab(ox, oy, oz, dx, dy, dz, hx, hy, hz):
    """Entry and exit of a ray into a box about the origin; entry > exit when it misses."""
    near, far = -1e9, 1e9
    for o, d, h in ((ox, dx, hx), (oy, dy, hy), (oz, dz, hz)):
        if abs(d) < 1e-9:
            if abs(o) > h:
                return 1.0, 0.0
            continue
        a, b = (-h - o) / d, (h - o) / d
        if a > b:
            a, b = b, a
        near, far = max(near, a), min(far, b)
    return near, far


@njit(cache=True, fastmath=True)
def _distance(x, y, z, hx, hy, hz, r, disc):
    """Signed distance to a rounded box or, standing on its n axis, a rounded disc."""
    if disc:
        a = math.sqrt(x * x + y * y) - (hx - r)
        b = abs(z) - (hz - r)
        return math.sqrt(max(a, 0.0) ** 2 + max(b, 0.0) ** 2) + min(max(a, b), 0.0) - r
    a, b, c = abs(x) - (hx - r), abs(y) - (hy - r), abs(z) - (hz - r)
    outside = math.sqrt(max(a, 0.0) ** 2 + max(b, 0.0) ** 2 + max(c, 0.0) ** 2)
    return outside + min(max(a, max(b, c)), 0.0) - r


@njit(cache=True, fastmath=True)
def _hit(ox, oy, oz, dx, dy, dz, hx, hy, hz, r, disc, limit):
    """Distance along a local ray to the rounded body, or -1."""
    near, far = _slab(ox, oy, oz, dx, dy, dz, hx, hy, hz)
    if near > far or far < 0 or near > limit:
        return -1.0
    t = max(near, 0.0)
    for _ in range(24):
        gap = _distance(ox + t * dx, oy + t * dy, oz + t * dz, hx, hy, hz, r, disc)
        if gap < 8e-4:
            return t
        t += gap
        if t > far:
            return -1.0
    return -1.0


@njit(cache=True, fastmath=True)
def _local(axes, i, x, y, z):
    return (
        axes[i, 0, 0] * x + axes[i, 0, 1] * y + axes[i, 0, 2] * z,
        axes[i, 1, 0] * x + axes[i, 1, 1] * y + axes[i, 1, 2] * z,
        axes[i, 2, 0] * x + axes[i, 2, 1] * y + axes[i, 2, 2] * z,
    )


@njit(cache=True, fastmath=True)
def _shadowed(px, py, pz, lx, ly, lz, skip, near, count, centre, axes, half):
    """Whether any of the bodies near[:count] lies between a point and the lamp (sharp boxes, a little shrunk)."""
    for k in range(count):
        j = near[k]
        if j == skip:
            continue
        x, y, z = px - centre[j, 0], py - centre[j, 1], pz - centre[j, 2]
        along = -(x * lx + y * ly + z * lz)
        size = half[j, 0] ** 2 + half[j, 1] ** 2 + half[j, 2] ** 2
        off = x * x + y * y + z * z - along * along
        if off > size or along < -math.sqrt(size):
            continue
        ox, oy, oz = _local(axes, j, x, y, z)
        dx, dy, dz = _local(axes, j, lx, ly, lz)
        a, b = _slab(ox, oy, oz, dx, dy, dz, half[j, 0] * 0.97, half[j, 1] * 0.97, half[j, 2] * 0.97)
        if a < b and b > 0.02:
            return True
    return False


@njit(cache=True, fastmath=True)
def _basis(lx, ly, lz):
    """Two unit vectors at right angles to a third."""
    ax, ay, az = (1.0, 0.0, 0.0) if abs(lx) < 0.8 else (0.0, 1.0, 0.0)
    ux, uy, uz = ly * az - lz * ay, lz * ax - lx * az, lx * ay - ly * ax
    n = math.sqrt(ux * ux + uy * uy + uz * uz)
    ux, uy, uz = ux / n, uy / n, uz / n
    return ux, uy, uz, ly * uz - lz * uy, lz * ux - lx * uz, lx * uy - ly * ux


@njit(cache=True, fastmath=True)
def _table_light(x0, y0, step, rows, columns, direction, softness, centre, axes, half, reach, seed):
    """For each cell of the table: share of the lamp seen, and share of the sky seen."""
    np.random.seed(seed)
    out = np.ones((rows, columns, 2), np.float32)
    n = len(centre)
    near = np.empty(n, np.int64)
    ux, uy, uz, vx, vy, vz = _basis(direction[0], direction[1], direction[2])
    for row in range(rows):
        for column in range(columns):
            px, py = x0 + (column + 0.5) * step, y0 + (row + 0.5) * step
            count = 0
            for j in range(n):
                dx, dy = centre[j, 0] - px, centre[j, 1] - py
                if dx * dx + dy * dy < reach[j] ** 2:
                    near[count] = j
                    count += 1
            if count == 0:
                continue
            lamp, sky = 0, 0
            for k in range(12):
                a = 6.2831853 * (k + np.random.random()) / 12
                s = softness * math.sqrt(np.random.random())
                lx = direction[0] + s * (math.cos(a) * ux + math.sin(a) * vx)
                ly = direction[1] + s * (math.cos(a) * uy + math.sin(a) * vy)
                lz = direction[2] + s * (math.cos(a) * uz + math.sin(a) * vz)
                if not _shadowed(px, py, 0.003, lx, ly, lz, -1, near, count, centre, axes, half):
                    lamp += 1
                s = math.sqrt((k + np.random.random()) / 12)
                a = 6.2831853 * ((k * 0.618 + np.random.random() * 0.2) % 1.0)
                if not _shadowed(
                    px, py, 0.003, s * math.cos(a), s * math.sin(a), math.sqrt(max(0.0, 1 - s * s)), -1, near, count, centre, axes, half
                ):
                    sky += 1
            out[row, column, 0] = lamp / 12
            out[row, column, 1] = sky / 12
    return out


@njit(cache=True, fastmath=True)
def _texel(texture, u, v, linear):
    """Bilinear look-up, u and v in 0..1, in linear light."""
    h, w = texture.shape[:2]
    x, y = min(max(u * w - 0.5, 0.0), w - 1.001), min(max(v * h - 0.5, 0.0), h - 1.001)
    i, j = int(y), int(x)
    fy, fx = y - i, x - j
    a, b, c, d = (1 - fy) * (1 - fx), (1 - fy) * fx, fy * (1 - fx), fy * fx
    p, q, r, s = texture[i, j], texture[i, j + 1], texture[i + 1, j], texture[i + 1, j + 1]
    return (
        a * linear[p[0]] + b * linear[q[0]] + c * linear[r[0]] + d * linear[s[0]],
        a * linear[p[1]] + b * linear[q[1]] + c * linear[r[1]] + d * linear[s[1]],
        a * linear[p[2]] + b * linear[q[2]] + c * linear[r[2]] + d * linear[s[2]],
    )


@njit(cache=True, fastmath=True)
def _fold(t):
    """Mirrors a texture coordinate into 0..1."""
    t = abs(t) % 2.0
    return 2.0 - t if t > 1.0 else t


@njit(cache=True, fastmath=True)
def _trace(
    height, width, samples, seed, eye, cam_axes, focal, cam_centre, distortion,
    centre, axes, half, rounding, kind, top, bottom, colour, split, gloss, tex0, tex1, tex2, tex3, level,
    block_start, block_items, blocker_start, blocker_items,
    table, table_axes, table_origin, extent, surround, table_gloss, flat,
    direction, lamp, ambient, softness, lamp_centre, spread, window,
    map_x, map_y, map_step, shade, linear,
):
    np.random.seed(seed)
    picture = np.zeros((height, width, 3), np.float32)
    owner = np.zeros((height, width), np.int32)
    across = (width + BLOCK - 1) // BLOCK
    ux, uy, uz, vx, vy, vz = _basis(direction[0], direction[1], direction[2])
    rows, columns = shade.shape[:2]
    for row in range(height):
        for column in range(width):
            block = (row // BLOCK) * across + column // BLOCK
            for sample in range(samples + 1):
                # The last sample is the pixel's centre: it only says whose pixel this is.
                if sample == samples:
                    fx, fy = 0.5, 0.5
                else:
                    fx, fy = (sample + np.random.random()) / samples, np.random.random()
                qx, qy = (column + fx - cam_centre[0]) / focal, (row + fy - cam_centre[1]) / focal
                sx, sy = qx, qy
                for _ in range(3):
                    k = 1 + distortion * (sx * sx + sy * sy)
                    sx, sy = qx / k, qy / k
                dx = sx * cam_axes[0, 0] + sy * cam_axes[1, 0] + cam_axes[2, 0]
                dy = sx * cam_axes[0, 1] + sy * cam_axes[1, 1] + cam_axes[2, 1]
                dz = sx * cam_axes[0, 2] + sy * cam_axes[1, 2] + cam_axes[2, 2]
                n = 1 / math.sqrt(dx * dx + dy * dy + dz * dz)
                dx, dy, dz = dx * n, dy * n, dz * n
                best, who = 1e9, -1
                for k in range(block_start[block], block_start[block + 1]):
                    i = block_items[k]
                    x, y, z = eye[0] - centre[i, 0], eye[1] - centre[i, 1], eye[2] - centre[i, 2]
                    ox, oy, oz = _local(axes, i, x, y, z)
                    ax, ay, az = _local(axes, i, dx, dy, dz)
                    t = _hit(ox, oy, oz, ax, ay, az, half[i, 0], half[i, 1], half[i, 2], rounding[i], kind[i] == DISC, best)
                    if t > 0 and t < best:
                        best, who = t, i
                if sample == samples:
                    if who >= 0:
                        z = axes[who, 2, 0] * (eye[0] + best * dx - centre[who, 0])
                        z += axes[who, 2, 1] * (eye[1] + best * dy - centre[who, 1])
                        z += axes[who, 2, 2] * (eye[2] + best * dz - centre[who, 2])
                        edge = half[who, 2] - rounding[who]
                        owner[row, column] = who + 1 if z > edge else -(who + 1) if z < -edge else 0
                    continue
                if who < 0:
                    t = -eye[2] / dz if dz < -1e-6 else -1.0
                    px, py = eye[0] + t * dx, eye[1] + t * dy
                    on = t > 0 and extent[0] < px < extent[2] and extent[1] < py < extent[3]
                    if not on:
                        r, g, b = _texel(surround, (column + fx) / width, (row + fy) / height, linear)
                        if flat and t > 0:
                            on = True
                        else:
                            picture[row, column, 0] += r
                            picture[row, column, 1] += g
                            picture[row, column, 2] += b
                            continue
                    if flat:
                        r, g, b = _texel(table, (column + fx) / width, (row + fy) / height, linear)
                    else:
                        u = table_axes[0, 0] * px + table_axes[0, 1] * py + table_origin[0]
                        v = table_axes[1, 0] * px + table_axes[1, 1] * py + table_origin[1]
                        r, g, b = _texel(table, _fold(u), _fold(v), linear)
                    seen, sky = 1.0, 1.0
                    x, y = (px - map_x) / map_step - 0.5, (py - map_y) / map_step - 0.5
                    if 0 <= x < columns - 1 and 0 <= y < rows - 1:
                        i, j = int(y), int(x)
                        wy, wx = y - i, x - j
                        a, bb, c, d = (1 - wy) * (1 - wx), (1 - wy) * wx, wy * (1 - wx), wy * wx
                        seen = a * shade[i, j, 0] + bb * shade[i, j + 1, 0] + c * shade[i + 1, j, 0] + d * shade[i + 1, j + 1, 0]
                        sky = a * shade[i, j, 1] + bb * shade[i, j + 1, 1] + c * shade[i + 1, j, 1] + d * shade[i + 1, j + 1, 1]
                    nx, ny, nz, pz, shine = 0.0, 0.0, 1.0, 0.0, table_gloss
                else:
                    i = who
                    px, py, pz = eye[0] + best * dx, eye[1] + best * dy, eye[2] + best * dz
                    x, y, z = _local(axes, i, px - centre[i, 0], py - centre[i, 1], pz - centre[i, 2])
                    rad = rounding[i]
                    hx, hy, hz = half[i, 0], half[i, 1], half[i, 2]
                    if kind[i] == DISC:
                        radius = math.sqrt(x * x + y * y) + 1e-9
                        a = max(radius - (hx - rad), 0.0)
                        c = max(abs(z) - (hz - rad), 0.0)
                        gx, gy, gz = a * x / radius, a * y / radius, c * (1 if z > 0 else -1)
                    else:
                        gx = max(abs(x) - (hx - rad), 0.0) * (1 if x > 0 else -1)
                        gy = max(abs(y) - (hy - rad), 0.0) * (1 if y > 0 else -1)
                        gz = max(abs(z) - (hz - rad), 0.0) * (1 if z > 0 else -1)
                    n = 1 / math.sqrt(gx * gx + gy * gy + gz * gz + 1e-12)
                    gx, gy, gz = gx * n, gy * n, gz * n
                    nx = gx * axes[i, 0, 0] + gy * axes[i, 1, 0] + gz * axes[i, 2, 0]
                    ny = gx * axes[i, 0, 1] + gy * axes[i, 1, 1] + gz * axes[i, 2, 1]
                    nz = gx * axes[i, 0, 2] + gy * axes[i, 1, 2] + gz * axes[i, 2, 2]
                    which = -1
                    part = 0
                    if gz > 0.35:
                        which = top[i]
                    elif gz < -0.35:
                        which, part = bottom[i], 1
                    else:
                        part = 2 if hz - z < split[i] * 2 * hz else 3
                    if which >= 0:
                        u, v = x / (2 * hx) + 0.5, y / (2 * hy) + 0.5
                        if part == 1:
                            u = 1 - u
                        if level[i] == 0:
                            r, g, b = _texel(tex0[which], u, v, linear)
                        elif level[i] == 1:
                            r, g, b = _texel(tex1[which], u, v, linear)
                        elif level[i] == 2:
                            r, g, b = _texel(tex2[which], u, v, linear)
                        else:
                            r, g, b = _texel(tex3[which], u, v, linear)
                    else:
                        r, g, b = colour[i, part, 0], colour[i, part, 1], colour[i, part, 2]
                    facing = nx * direction[0] + ny * direction[1] + nz * direction[2]
                    seen = 0.0
                    if facing > 0:
                        a, s = 6.2831853 * np.random.random(), softness * math.sqrt(np.random.random())
                        ca, sa = s * math.cos(a), s * math.sin(a)
                        start = blocker_start[i]
                        count = blocker_start[i + 1] - start
                        if not _shadowed(
                            px + nx * 0.01, py + ny * 0.01, pz + nz * 0.01,
                            direction[0] + ca * ux + sa * vx, direction[1] + ca * uy + sa * vy, direction[2] + ca * uz + sa * vz,
                            i, blocker_items[start:], count, centre, axes, half,
                        ):
                            seen = 1.0
                    low = min(1.0, pz / 0.7)
                    up = 0.5 + 0.5 * nz
                    sky = (0.35 + 0.65 * up) * (0.55 + 0.45 * max(low, up * up))
                    shine = gloss[i]
                facing = max(0.0, nx * direction[0] + ny * direction[1] + nz * direction[2])
                away = ((px - lamp_centre[0]) ** 2 + (py - lamp_centre[1]) ** 2) / (spread * spread)
                strength = facing * seen / (1 + away)
                # What the surface mirrors: the lamp as a soft-edged oblong, and a little of the room.
                turn = 2 * (nx * dx + ny * dy + nz * dz)
                mx, my, mz = dx - turn * nx, dy - turn * ny, dz - turn * nz
                ahead = mx * direction[0] + my * direction[1] + mz * direction[2]
                mirror = 0.0
                if shine > 0:
                    graze = max(0.0, 1 + 0.5 * turn) ** 5
                    fresnel = shine * (0.04 + 0.6 * graze)
                    mirror = fresnel * 0.5
                    if ahead > 0 and seen > 0:
                        a = abs(mx * ux + my * uy + mz * uz) - window[0]
                        b2 = abs(mx * vx + my * vy + mz * vz) - window[1]
                        blur = 0.09
                        a = 1 / (1 + math.exp(min(40.0, max(-40.0, a / (blur * 0.35)))))
                        b2 = 1 / (1 + math.exp(min(40.0, max(-40.0, b2 / (blur * 0.35)))))
                        mirror += fresnel * 14 * a * b2 * seen
                picture[row, column, 0] += r * (ambient[0] * sky + lamp[0] * strength) + mirror * (ambient[0] + 0.3 * lamp[0])
                picture[row, column, 1] += g * (ambient[1] * sky + lamp[1] * strength) + mirror * (ambient[1] + 0.3 * lamp[1])
                picture[row, column, 2] += b * (ambient[2] * sky + lamp[2] * strength) + mirror * (ambient[2] + 0.3 * lamp[2])
            picture[row, column, 0] /= samples
            picture[row, column, 1] /= samples
            picture[row, column, 2] /= samples
    return picture, owner


def _ranges(lists):
    start = np.zeros(len(lists) + 1, np.int64)
    start[1:] = np.cumsum([len(items) for items in lists])
    return start, np.concatenate([np.asarray(items, np.int64) for items in lists] + [np.zeros(1, np.int64)])


def _blocks(outlines, depths, height, width):
    """For every block of the picture the bodies that may show in it, nearest first."""
    down, across = -(-height // BLOCK), -(-width // BLOCK)
    lists = [[] for _ in range(down * across)]
    for i in np.argsort(depths.mean(1)):
        if depths[i].max() < 0.05:
            continue
        if depths[i].min() < 0.05:  # partly behind the camera: anywhere
            x0, y0, x1, y1 = 0, 0, across - 1, down - 1
        else:
            low, high = outlines[i].min(0) - 3, outlines[i].max(0) + 3
            x0, y0 = np.maximum(low // BLOCK, 0).astype(int)
            x1, y1 = np.minimum(high // BLOCK, [across - 1, down - 1]).astype(int)
        for y in range(y0, y1 + 1):
            for x in range(x0, x1 + 1):
                lists[y * across + x].append(i)
    return _ranges(lists)


def _blockers(bodies, light, corners):
    """For every body those that may keep the lamp's light from it."""
    tilt = math.hypot(light.direction[0], light.direction[1]) / max(light.direction[2], 0.1)
    size = np.linalg.norm(bodies.half, axis=1)
    highest = corners[..., 2].max(1)
    flat = light.direction[:2] / max(np.hypot(*light.direction[:2]), 1e-6)
    lists = []
    for i in range(len(size)):
        offset = bodies.centre[:, :2] - bodies.centre[i, :2]
        along = offset @ flat
        aside = np.abs(offset @ np.array([-flat[1], flat[0]]))
        gap = size + size[i]
        reach = np.maximum(0, highest - corners[i, :, 2].min()) * (tilt + 2 * light.softness)
        near = (along > -gap) & (along < gap + reach) & (aside < gap + reach * light.softness)
        near[i] = False
        lists.append(np.flatnonzero(near))
    return _ranges(lists)


def _level(bodies, outlines):
    """Texture level by which a texel is about half a pixel or more."""
    edges = np.linalg.norm(outlines[:, [1, 2]] - outlines[:, [0, 1]], axis=2)
    texels = np.array(bodies.textures[0].shape[2:0:-1], float)
    ratio = np.sqrt((texels[0] * texels[1]) / np.maximum(edges[:, 0] * edges[:, 1], 1.0))
    return np.clip(np.floor(np.log2(np.maximum(ratio / 1.3, 1.0))), 0, LEVELS - 1).astype(np.int64)


def trace(bodies, table, camera, light, size, samples, seed):
    """Draws the scene; see the module's first lines."""
    height, width = size
    corners = bodies.corners()
    outlines, depths = camera.project(corners)
    block_start, block_items = _blocks(outlines, depths, height, width)
    blocker_start, blocker_items = _blockers(bodies, light, corners)
    if len(corners):
        low, high = corners[..., :2].min((0, 1)) - 3, corners[..., :2].max((0, 1)) + 3
    else:
        low, high = np.zeros(2), np.ones(2)
    step = (high - low).max() / SHADE_CELLS
    columns, rows = np.maximum(2, np.ceil((high - low) / step)).astype(int)
    tilt = math.hypot(*light.direction[:2]) / max(light.direction[2], 0.1) + 2 * light.softness
    reach = np.linalg.norm(bodies.half, axis=1) + np.maximum(1.5, corners[..., 2].max(1) * tilt)
    shade = _table_light(
        low[0], low[1], step, rows, columns, light.direction, light.softness, bodies.centre, bodies.axes, bodies.half, reach, seed
    )
    textures = [np.ascontiguousarray(t) for t in bodies.textures]
    return _trace(
        height, width, samples, seed, camera.eye, camera.axes, camera.focal, camera.centre, camera.distortion,
        bodies.centre, bodies.axes, bodies.half, bodies.rounding, bodies.kind, bodies.top, bodies.bottom,
        bodies.colour, bodies.split, bodies.gloss, *textures, _level(bodies, outlines),
        block_start, block_items, blocker_start, blocker_items,
        table.texture, table.axes, table.origin, table.extent, table.surround, table.gloss, table.flat,
        light.direction, light.colour, light.ambient, light.softness, light.centre, light.spread, light.window,
        low[0], low[1], step, shade, _LINEAR,
    )
