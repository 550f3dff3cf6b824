import { Refusal } from "../domain/refusal.ts";
import { embeddings } from "./embeddings/embeddings.ts";
import { chat } from "./chat/chat.ts";
import { createVendorFiles } from "./files/vendor-files.ts";
import { withFilteredFields, withFilters } from "./content-filters/with-filters.ts";
import { withFiles } from "./files/with-files.ts";
import { images } from "./images/images.ts";
import { rerank } from "./rerank/rerank.ts";
import { chatForm } from "./chat/chat-form.ts";
import { completionsForm } from "./chat/completions-form.ts";
import { countMessageTokens } from "./messages/count-tokens.ts";
import { messagesForm } from "./messages/messages-form.ts";
import type { RequestForm } from "./preset/forms.ts";
import { withPreset } from "./preset/with-preset.ts";
import { speech } from "./speech/speech.ts";
import { isForm } from "./transcriptions/request.ts";
import { transcribe } from "./transcriptions/transcriptions.ts";
import { responsesForm } from "./responses/responses-form.ts";
import { withKeptItems } from "./responses/with-kept-items.ts";
import { videoContent } from "./videos/content.ts";
import { shownJob } from "./videos/answer.ts";
import { startVideoJobs } from "./videos/jobs.ts";
import { seeJob } from "./videos/poll.ts";
import { videos } from "./videos/videos.ts";
import type { CallerForm } from "./caller-form.ts";
import type { Relay, RelayCall } from "./model-call.ts";
import type { RelayDeps } from "./deps.ts";

/** The relay of this process. */
export function createRelay(given: Omit<RelayDeps, "interrupted" | "untilSettled">): Relay {
  let stopped = false;
  const unsettled = new Set<Promise<unknown>>();
  const untilSettled = (work: Promise<unknown>) => {
    const done = work.catch(() => {}).finally(() => unsettled.delete(done));
    unsettled.add(done);
  };
  const tracked = <T>(work: Promise<T>): Promise<T> => {
    untilSettled(work);
    return work;
  };
  const deps: RelayDeps = { ...given, interrupted: () => (stopped ? interruption() : null), untilSettled };
  const answered =
    (form: RequestForm, answer: RelayCall): RelayCall =>
    async (call) =>
      await tracked(withPreset(deps, call, form).then(answer));
  const filtered = (form: RequestForm, answer: RelayCall): RelayCall =>
    answered(form, async (call) => await answer(await withFilters(deps, call, form)));
  /** A conversation may name files, whose texts are filtered as well. */
  const conversation = (name: RequestForm, form: CallerForm): RelayCall =>
    answered(name, async (call) => {
      const known = form === responsesForm ? await withKeptItems(deps, call) : call;
      const whole = await withFiles(deps, known, form.apiType);
      return await chat(deps, await withFilters(deps, whole, name), form);
    });
  const transcribeJson = filtered("transcriptions", (call) => transcribe(deps, call));
  const jobs = startVideoJobs(deps);
  const interrupt = async () => {
    stopped = true;
    deps.semanticModel?.close();
    deps.pacer.close();
    await Promise.all([deps.dispatcher.destroy(), deps.callerDispatcher.destroy()]);
  };
  return {
    embeddings: filtered("embeddings", (call) => embeddings(deps, call)),
    chat: conversation("chat", chatForm),
    completions: filtered("completions", (call) => chat(deps, call, completionsForm)),
    messages: conversation("messages", messagesForm),
    responses: conversation("responses", responsesForm),
    countMessageTokens: async (call) => {
      const completed = await withPreset(deps, call, "messages");
      return await countMessageTokens(deps, await withFiles(deps, completed, "messages"));
    },
    rerank: filtered("rerank", (call) => rerank(deps, call)),
    images: filtered("images", (call) => images(deps, call)),
    videos: filtered("videos", (call) => videos(deps, call, jobs)),
    async video({ id, credential, apiUrl }) {
      const job = await seeJob(deps, id, credential);
      if (job.callback_at !== null) jobs.wake();
      return shownJob(deps, job, apiUrl);
    },
    videoContent: async (asked) => await videoContent(deps, asked),
    speech: filtered("speech", (call) => speech(deps, call)),
    transcriptions: async (call) =>
      isForm(call)
        ? await tracked(withFilteredFields(deps, call).then((read) => transcribe(deps, read)))
        : await transcribeJson(call),
    files: createVendorFiles(deps),
    interrupt,
    close: async () => {
      if (unsettled.size > 0) await interrupt();
      await Promise.all(unsettled);
      await jobs.close();
      deps.rates.close();
      await deps.durableCache.close();
      await deps.responseCache.close();
      await deps.ledger.close();
    },
  };
}

function interruption(): Refusal {
  return new Refusal("unavailable", "The gateway stopped before the provider had finished its answer: try again", {
    retryAfterSeconds: 2,
  });
}
