import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import type { Crop } from "#src/people/avatars/schemas.ts";

type CropperProps = { url: string; picture: Size; crop: Crop; onCrop: (crop: Crop) => void };

/** How far a key moves or resizes the square, as a share of the picture's shorter side. */
const STEP = 0.02;
const LEAP = 0.1;

/** The picture with the square to crop: moved by pointer or arrow keys, sized by the slider or + and -. */
export function Cropper({ url, picture, crop, onCrop }: CropperProps) {
  const { min, max } = sidesOf(picture);
  return (
    <div className="stack">
      <Square url={url} picture={picture} crop={crop} onCrop={onCrop} />
      <div className="field">
        <label htmlFor="crop-size">Size of the square</label>
        <input
          className="range"
          id="crop-size"
          type="range"
          min={min}
          max={max}
          value={crop.size}
          aria-valuetext={`${Math.round((crop.size / max) * 100)}%`}
          onChange={({ currentTarget }) => onCrop(resizedTo(crop, Number(currentTarget.value), picture))}
        />
      </div>
    </div>
  );
}

function Square({ url, picture, crop, onCrop }: CropperProps) {
  const frame = useRef<HTMLDivElement>(null);
  const grip = useRef<{ x: number; y: number; crop: Crop } | null>(null);
  const [announcement, announce] = useState("");
  const grab = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent<HTMLButtonElement>) => {
    currentTarget.setPointerCapture(pointerId);
    grip.current = { x: clientX, y: clientY, crop };
  };
  const drag = ({ clientX, clientY }: PointerEvent) => {
    const start = grip.current;
    if (start === null) return;
    const scale = picture.width / (frame.current?.clientWidth ?? picture.width);
    onCrop(movedBy(start.crop, { x: (clientX - start.x) * scale, y: (clientY - start.y) * scale }, picture));
  };
  const release = () => {
    grip.current = null;
  };
  const press = (event: KeyboardEvent) => {
    const next = cropAfterKey(event, crop, picture);
    if (next === null) return;
    event.preventDefault();
    onCrop(next);
    announce(describePosition(next, picture));
  };
  return (
    <div
      className="cropper"
      ref={frame}
      style={{
        aspectRatio: `${picture.width} / ${picture.height}`,
        maxWidth: `calc(60vh * ${picture.width / picture.height})`,
      }}
    >
      <img src={url} alt="The picture you chose" {...picture} draggable={false} />
      <button
        className="crop-square"
        type="button"
        aria-label="The part that is shown"
        aria-describedby="crop-hint"
        style={{
          left: `${(crop.x / picture.width) * 100}%`,
          top: `${(crop.y / picture.height) * 100}%`,
          width: `${(crop.size / picture.width) * 100}%`,
        }}
        onPointerDown={grab}
        onPointerMove={drag}
        onPointerUp={release}
        onPointerCancel={release}
        onKeyDown={press}
      />
      <span className="vh" role="status">
        {announcement}
      </span>
    </div>
  );
}

function cropAfterKey({ key, shiftKey }: KeyboardEvent, crop: Crop, picture: Size): Crop | null {
  const { max } = sidesOf(picture);
  const step = Math.max(1, max * (shiftKey ? LEAP : STEP));
  const move = (x: number, y: number) => movedBy(crop, { x, y }, picture);
  switch (key) {
    case "ArrowLeft":
      return move(-step, 0);
    case "ArrowRight":
      return move(step, 0);
    case "ArrowUp":
      return move(0, -step);
    case "ArrowDown":
      return move(0, step);
    case "+":
    case "=":
      return resizedTo(crop, crop.size + step, picture);
    case "-":
      return resizedTo(crop, crop.size - step, picture);
    default:
      return null;
  }
}

function describePosition({ x, y, size }: Crop, { width, height }: Size): string {
  const share = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((part / whole) * 100)}%`;
  return `${share(x, width - size)} from the left, ${share(y, height - size)} from the top`;
}

export function CropPreview({ url, picture, crop }: Omit<CropperProps, "onCrop">) {
  const style = {
    width: `${(picture.width / crop.size) * 100}%`,
    left: `${(-crop.x / crop.size) * 100}%`,
    top: `${(-crop.y / crop.size) * 100}%`,
  };
  return (
    <div className="row crop-preview" aria-hidden="true">
      {(["avatar xl", "avatar lg", "avatar"] as const).map((className) => (
        <span className={className} key={className}>
          <img src={url} alt="" {...picture} style={style} />
        </span>
      ))}
    </div>
  );
}

/** A picture's size in pixels, after its rotation is applied. */
export type Size = { width: number; height: number };

/** In pixels. A smaller square would be blurred. */
const SIDE_MIN = 48;

/** The least and the greatest side of a square in the picture. */
function sidesOf({ width, height }: Size): { min: number; max: number } {
  const max = Math.min(width, height);
  return { min: Math.min(SIDE_MIN, max), max };
}

export function centredIn(picture: Size): Crop {
  const { max: size } = sidesOf(picture);
  return clampInto({ x: (picture.width - size) / 2, y: (picture.height - size) / 2, size }, picture);
}

/** The square moved, limited by the edges. */
function movedBy(crop: Crop, by: { x: number; y: number }, picture: Size): Crop {
  return clampInto({ ...crop, x: crop.x + by.x, y: crop.y + by.y }, picture);
}

/** The square with another side around the same centre, limited by the edges. */
function resizedTo(crop: Crop, side: number, picture: Size): Crop {
  const { min, max } = sidesOf(picture);
  const size = Math.round(clamp(min, side, max));
  const grown = (size - crop.size) / 2;
  return clampInto({ x: crop.x - grown, y: crop.y - grown, size }, picture);
}

function clampInto({ x, y, size }: Crop, { width, height }: Size): Crop {
  return {
    x: Math.round(clamp(0, x, width - size)),
    y: Math.round(clamp(0, y, height - size)),
    size,
  };
}

function clamp(min: number, value: number, max: number): number {
  return Math.max(min, Math.min(value, max));
}
