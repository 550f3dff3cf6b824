import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from "react";
import { everyProvider } from "../../api/providers.ts";
import { useStore } from "../../api/store.ts";
import { paths } from "../../paths.ts";
import { ModelsFailure } from "../../shell/ModelsFailure.tsx";
import { PageHeader } from "../../shell/PageHeader.tsx";
import { useShortcut } from "../../shell/shortcuts.ts";
import { useWorkspace } from "../../shell/workspace.ts";
import { Button, buttonClass } from "../../ui/Button.tsx";
import { Combobox } from "../../ui/Combobox.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Notice } from "../../ui/Notice.tsx";
import { EmptyState } from "../../ui/Region.tsx";
import { Segmented } from "../../ui/Segmented.tsx";
import { toast } from "../../ui/toast.ts";
import { useListener } from "../../ui/use-listener.ts";
import { PlaygroundTabs } from "../../shell/PlaygroundTabs.tsx";
import { useChat, type Chat } from "./chat.ts";
import { ChatCode } from "./ChatCode.tsx";
import { ChatSettings } from "./ChatSettings.tsx";
import { Composer } from "./Composer.tsx";
import { priceWords } from "./cost.ts";
import type { ChatSearch } from "./search.ts";
import { TurnView } from "./TurnView.tsx";
import { useChatSetup, type ChatSetup } from "./use-chat-setup.ts";

type View = "talk" | "code";
const views: readonly { value: View; label: string }[] = [
  { value: "talk", label: "Conversation" },
  { value: "code", label: "Code" },
];

/** Chat: one or two models on one conversation, as a key of the workspace. */
export function ChatPage() {
  const chat = useChat();
  const search: ChatSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const { path } = useWorkspace();
  const set = useCallback(
    (next: Partial<ChatSearch>) =>
      void navigate({ to: ".", search: (before) => ({ ...before, ...next }), replace: true }),
    [navigate],
  );
  const setup = useChatSetup(chat, search);
  const { models, refused, isEmpty } = setup;
  const [view, setView] = useState<View>("talk");
  const send = useSending(chat, setup);
  useShortcut("mod+enter", "Send", () => {
    if (refused === null) send();
    else toast({ message: "Nothing was sent.", detail: refused });
  });
  useEscape(setup.state.busy > 0 ? chat.stop : null);
  return (
    <div className="@container/panes">
      <div className="flex min-h-[calc(100dvh-72px-var(--h-bar,0px))] flex-col @min-[800px]/panes:h-[calc(100dvh-72px-var(--h-bar,0px))] @min-[800px]/panes:min-h-120">
        <PageHeader title="Playground" stacked sub={<PlaygroundTabs />} />
        {models.isError && <ModelsFailure models={models} />}
        {isEmpty ? (
          <div className="mt-3.5 border-t border-line px-8 py-6 max-md:px-4">
            <NoChatModel path={path} />
          </div>
        ) : (
          <div className="mt-3.5 grid min-h-0 grow border-t border-line [--pane-x:16px] @min-[800px]/panes:grid-cols-[minmax(0,1fr)_minmax(260px,320px)] md:[--pane-x:32px]">
            <div className="@container/talk flex min-h-100 min-w-0 flex-col @min-[800px]/panes:min-h-0">
              <LaneHeads setup={setup} set={set}>
                <Segmented label="Shown" size="sm" choices={views} value={view} onChange={setView} />
              </LaneHeads>
              {view === "code" ? <ChatCode setup={setup} /> : <Talk chat={chat} setup={setup} path={path} />}
              {view === "talk" && <Composer chat={chat} state={setup.state} refused={refused} onSend={send} />}
            </div>
            <div className="flex min-h-0 min-w-0 flex-col border-line @min-[800px]/panes:border-l @max-[800px]/panes:border-t @min-[800px]/panes:[--pane-x:24px]">
              <ChatSettings chat={chat} setup={setup} search={search} set={set} />
            </div>
          </div>
        )}
        <Said chat={chat} />
      </div>
    </div>
  );
}

/** Sends the draft, and clears it; what is being sent stays in its turn. */
function useSending(chat: Chat, { lanes, workspaceId, keyHash }: ChatSetup) {
  return useCallback(
    (at?: number, text?: string, images?: readonly string[]) => {
      if (workspaceId === undefined) return;
      const { draft, images: attached } = chat.store.get();
      const isNew = at === undefined;
      chat.send({ text: text ?? draft, images: images ?? attached }, { lanes, workspaceId, keyHash }, at);
      if (isNew) chat.change({ draft: "", images: [] });
    },
    [chat, lanes, workspaceId, keyHash],
  );
}

function NoChatModel({ path }: { path: string }) {
  return (
    <EmptyState
      title="No provider offers a chat model"
      action={
        <Link to={paths.newProvider(path)} className={buttonClass({ variant: "primary" })}>
          Add a provider
        </Link>
      }
      link={
        <Link to={paths.providers(path)} className={buttonClass({ variant: "quiet" })}>
          See the providers
        </Link>
      }
    >
      The chat sends messages to a model of one of your providers, as a key of this workspace.
    </EmptyState>
  );
}

interface LaneHeadsProps {
  setup: ChatSetup;
  set: (next: Partial<ChatSearch>) => void;
  children: ReactNode;
}

/** Which models answer, and what is to be known of them before anything is sent. */
function LaneHeads({ setup, set, children }: LaneHeadsProps) {
  const { options, chosen, records, models, unpriced } = setup;
  const { path } = useWorkspace();
  const pick = (lane: number, model: string | null) =>
    set(lane === 0 ? { model: model ?? undefined } : { with: model ?? undefined });
  const other = options.find(({ value, disabledReason }) => value !== chosen[0] && !disabledReason) ?? options[0];
  return (
    <div className="grid shrink-0 gap-2 border-b border-line px-(--pane-x) py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        {chosen.map((model, lane) => (
          // oxlint-disable-next-line react/no-array-index-key
          <div key={lane} className="grid min-w-0 grow basis-56 gap-0.5">
            <span className="flex items-center gap-1">
              <Combobox
                label={lane === 0 ? "Model or preset" : "Second model or preset"}
                mono
                className="min-w-0 grow"
                options={options}
                value={model ?? null}
                placeholder={models.isPending ? "Loading the models" : "Choose a model"}
                onChange={(value) => pick(lane, value)}
              />
              {lane === 1 && (
                <IconButton label="Remove the second model" onClick={() => set({ with: undefined })}>
                  <X size={14} aria-hidden="true" />
                </IconButton>
              )}
            </span>
            {records[lane] && (
              <span className="text-12 text-fg-3 tabular-nums">{priceWords(records[lane].pricing)}</span>
            )}
          </div>
        ))}
        <span className="ml-auto flex flex-wrap items-center gap-2">
          {chosen.length === 1 && other && (
            <Button size="sm" onClick={() => set({ with: other.value })}>
              Compare with another model
            </Button>
          )}
          {children}
        </span>
      </div>
      {unpriced.map(({ id, words }) => (
        <Notice key={id} tone="warn" role="status" action={<SetPrice id={id} path={path} />}>
          {words}
        </Notice>
      ))}
    </div>
  );
}

/** Leads to the field for the price of the model that has none. */
function SetPrice({ id, path }: { id: string; path: string }) {
  const { data } = useQuery(everyProvider);
  const provider = data?.data.find(({ models }) => models.some((model) => model.id === id && model.pricing === null));
  return (
    <Link
      to={provider === undefined ? paths.providers(path) : paths.editModel(path, provider.slug)}
      search={provider === undefined ? {} : { model: id }}
      className={buttonClass({ size: "sm" })}
    >
      Set the price
    </Link>
  );
}

/** The turns. The page keeps to the end while answers come, unless a person scrolled up. */
function Talk({ chat, setup, path }: { chat: Chat; setup: ChatSetup; path: string }) {
  const { state, refusedAgain, workspaceId = "", keyHash, recordOf } = setup;
  const pane = useStickToEnd(state.turns.length);
  const place = useMemo(() => ({ workspace: path, workspaceId, keyHash }), [path, workspaceId, keyHash]);
  const send = useSending(chat, setup);
  return (
    <div ref={pane} className="min-h-0 grow @min-[800px]/panes:overflow-y-auto">
      {state.turns.length === 0 ? (
        <p className="max-w-140 px-(--pane-x) py-6 text-fg-2">
          Write a message below. Answers are calls like any other: charged, limited and listed under Calls. The
          conversation is kept in this tab only.
        </p>
      ) : (
        state.turns.map((turn, at) => (
          <TurnView
            key={turn.id}
            turn={turn}
            at={at}
            after={state.turns.length - at - 1}
            recordOf={recordOf}
            place={place}
            refused={refusedAgain}
            onSend={send}
          />
        ))
      )}
    </div>
  );
}

/** How near the end, in pixels, still counts as at the end. */
const nearEnd = 48;

function useStickToEnd(turns: number) {
  const pane = useRef<HTMLDivElement>(null);
  const sticks = useRef(true);
  useEffect(() => {
    const box = pane.current;
    if (!box) return undefined;
    const note = () => {
      sticks.current = box.scrollHeight - box.scrollTop - box.clientHeight < nearEnd;
    };
    const grown = new ResizeObserver(() => {
      if (sticks.current) box.scrollTop = box.scrollHeight;
    });
    for (const child of box.children) grown.observe(child);
    box.addEventListener("scroll", note, { passive: true });
    return () => {
      grown.disconnect();
      box.removeEventListener("scroll", note);
    };
  }, [turns]);
  // a turn that was just sent is what a person looks at
  useLayoutEffect(() => {
    sticks.current = true;
    pane.current?.scrollTo({ top: pane.current.scrollHeight });
  }, [turns]);
  return pane;
}

/** Says to a screen reader when an answer begins and ends. */
function Said({ chat }: { chat: Chat }) {
  return (
    <p role="status" className="sr-only">
      {useStore(chat.said)}
    </p>
  );
}

/** Where Escape closes or leaves something of its own. */
const ownEscape = ":is([role=dialog], [role=alertdialog], [role=menu], [role=listbox], [role=combobox])";

function useEscape(stop: (() => void) | null): void {
  useListener(document, "keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if ((event.target as Element).closest(ownEscape) === null) stop?.();
  });
}
