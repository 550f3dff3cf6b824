import { useEffect, useState } from "react";
import { useStore } from "../../api/store.ts";
import { formatCount } from "../../format.ts";
import { LinkButton } from "../../ui/LinkText.tsx";
import { Switch } from "../../ui/Switch.tsx";
import { AddBlocks } from "./AddBlocks.tsx";
import { BlockEditor } from "./BlockEditor.tsx";
import { BlockTile } from "./BlockTile.tsx";
import {
  asSent,
  joinBlocks,
  makeBlock,
  remoteImage,
  smallerSide,
  splitBlock,
  withBlocks,
  type Block,
} from "./blocks.ts";
import type { InputProps } from "./input-props.ts";
import { change } from "./playground.ts";
import type { Pictures } from "./use-pictures.ts";

const nothing: ReadonlySet<number> = new Set();

/** Texts and pictures as tiles, each a block that gives one vector. Joining several into one vector is asked for. */
export function MultimodalPane({ playground: { store }, pictures }: InputProps & { pictures: Pictures }) {
  const { blocks, shrink, editing } = useStore(store);
  const [opened, setOpened] = useState<number | null>(null);
  useEffect(() => {
    if (editing === null) return;
    change(store, { editing: null });
    setOpened(editing);
  }, [editing, store]);
  const [ticked, setTicked] = useState(nothing);
  const put = (next: readonly Block[]) => change(store, { blocks: next.length > 0 ? next : [makeBlock()] });
  const [only] = blocks;
  // a lone text is written at once; everything else is a tile until it is opened
  const lone = blocks.length === 1 && only?.parts.every(({ type }) => type === "text") === true ? only.id : null;
  const open = blocks.some(({ id }) => id === opened) ? opened : lone;
  const chosen = blocks.filter(({ id }) => ticked.has(id));
  function tick(id: number) {
    const next = new Set(ticked);
    if (!next.delete(id)) next.add(id);
    setTicked(next);
  }
  function addText() {
    const block = makeBlock();
    put(withBlocks(blocks, [block]));
    setOpened(block.id);
  }
  return (
    <>
      <div className="grid gap-2 border-b border-line py-2 pr-(--pane-end) pl-8 max-md:pl-4">
        <AddBlocks
          onImages={(files) => void pictures.take(files)}
          onText={addText}
          onAddress={(address) => put(withBlocks(blocks, [makeBlock([remoteImage(address)])]))}
        />
        <div role="status" className="flex min-h-7 flex-wrap items-center gap-x-3 text-12 text-fg-3">
          {chosen.length === 0 ? (
            <span>You can also drop or paste images here. Each becomes one vector.</span>
          ) : (
            <>
              <span className="text-fg-2">{formatCount(chosen.length)} chosen</span>
              {chosen.length > 1 && (
                <LinkButton
                  onClick={() => {
                    put(joinBlocks(blocks, ticked));
                    setTicked(nothing);
                  }}
                >
                  Join into one vector
                </LinkButton>
              )}
              <LinkButton
                onClick={() => {
                  put(blocks.filter(({ id }) => !ticked.has(id)));
                  setTicked(nothing);
                }}
              >
                Remove
              </LinkButton>
              <LinkButton onClick={() => setTicked(nothing)}>Clear selection</LinkButton>
            </>
          )}
        </div>
      </div>
      <div className="min-h-40 grow basis-0 overflow-y-auto py-3 pr-(--pane-end) pl-8 @max-[800px]/panes:max-h-120 @max-[800px]/panes:basis-auto max-md:pl-4">
        <ul aria-label="Blocks" className="grid grid-cols-[repeat(auto-fill,minmax(80px,1fr))] gap-2">
          {blocks.map((block, index) =>
            block.id === open ? (
              <BlockEditor
                key={block.id}
                block={block}
                place={index}
                count={blocks.length}
                shrink={shrink}
                onChange={(parts) => {
                  // what is written in stays open, also where it is no lone text any more
                  setOpened(block.id);
                  put(store.get().blocks.map((old) => (old.id === block.id ? { ...old, parts } : old)));
                }}
                onMove={(by) => put(blocks.toSpliced(index, 1).toSpliced(index + by, 0, block))}
                onSplit={() => put(splitBlock(blocks, block.id))}
                onRemove={() => put(blocks.toSpliced(index, 1))}
                onClose={lone === block.id ? null : () => setOpened(null)}
              />
            ) : (
              <BlockTile
                key={block.id}
                block={block}
                number={index + 1}
                ticked={ticked.has(block.id)}
                anyTicked={chosen.length > 0}
                onTick={() => tick(block.id)}
                onOpen={() => setOpened(block.id)}
                onRemove={() => put(blocks.toSpliced(index, 1))}
              />
            ),
          )}
        </ul>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 border-t border-line py-1.5 pr-(--pane-end) pl-8 text-12 max-md:pl-4">
        <Switch
          label={`Shrink images over ${formatCount(smallerSide)} px`}
          checked={shrink}
          onChange={(on) => change(store, { shrink: on, blocks: blocks.map((block) => resent(block, on)) })}
        />
      </div>
    </>
  );
}

const resent = (block: Block, shrink: boolean): Block => ({
  ...block,
  parts: block.parts.map((part) => (part.type === "image" ? asSent(part, shrink) : part)),
});
