import { cx } from "../../ui/cx.ts";
import type { Shown } from "./playground.ts";

interface RowFaceProps {
  shown: Shown | undefined;
  /** of a text, what is read at a glance */
  most: number;
  /** the picture's side as a class */
  side: string;
  /** of the words */
  className?: string;
}

/** What a row is: its text, or its picture with its name in quiet ink. Its words are its accessible name either way. */
export function RowFace({ shown, most, side, className }: RowFaceProps) {
  if (shown?.image === undefined) return <span className={className}>{shown?.text.slice(0, most)}</span>;
  return (
    <>
      <img src={shown.image} alt="" className={cx("shrink-0 rounded-1 object-contain", side)} />
      <span className="sr-only">{shown.text.slice(0, most)}</span>
      <span aria-hidden="true" className={cx("text-12 text-fg-3", className)}>
        {shown.caption?.slice(0, most)}
      </span>
    </>
  );
}
