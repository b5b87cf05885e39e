/** Chunks of a streamed message, and the blocks that they become (docs.slack.dev/reference/methods/chat.startStream). */
import type { WorkspaceCore } from '../core/core.ts';
import type { Ids } from '../core/ids.ts';
import { asJsonObject, asList, asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import type { MessageStream } from '../state/timeline.ts';
import {
  booleanRule,
  byTypeRule,
  objectRule,
  oneOfRule,
  textRule,
  type ValidationRule,
  type ValidationRules,
} from '../validate/rule-builders.ts';
import { checkBlocks } from '../validate/whole-payload-rules.ts';
import { storedBlocks } from './stored-blocks.ts';
import { toRichText } from './typed-text.ts';

const anyRule: ValidationRule = () => [];
const type = textRule({ max: 255 });
const words = textRule({ min: 1, max: 12_000 });
/** “The character limit for chunk sizes for `task_update` and `plan_update` is 256 characters” (the same page). */
const heading = textRule({ min: 1, max: 256 });
const CHUNKS: ValidationRules = {
  blocks: objectRule({ type, blocks: (value, pointer) => checkBlocks(value, 'message', pointer) }),
  markdown_text: objectRule({ type, text: words }),
  plan_update: objectRule({ type, title: heading }),
  task_update: objectRule(
    { type, id: words, title: heading, status: oneOfRule('pending', 'in_progress', 'complete', 'error') },
    { details: words, output: words, sources: anyRule, hide_title: booleanRule, icon: anyRule },
  ),
};
const chunkRule = byTypeRule(() => CHUNKS);

/** Whether this is a list of chunks that Slack accepts. */
export function areChunks(value: unknown): value is readonly JsonObject[] {
  return (
    Array.isArray(value) && value.every((chunk) => isJsonObject(chunk) && chunkRule(chunk, '').length === 0)
  );
}

/** The text of all chunks, for notifications. */
export function streamText({ chunks }: MessageStream): string {
  return chunks.map((chunk) => (chunk['type'] === 'markdown_text' ? asString(chunk['text']) : '')).join('');
}

/**
 * Adjoining text becomes one markdown block. A task stays where it was first, and shows its newest state; with the
 * display `plan`, all tasks are in one plan.
 */
export function streamBlocks(
  { chunks, taskDisplay }: MessageStream,
  core: WorkspaceCore,
): readonly JsonObject[] {
  const { ids } = core;
  const tasks = new Map<string, JsonObject>();
  for (const chunk of chunks) if (chunk['type'] === 'task_update') tasks.set(asString(chunk['id']), chunk);
  const blocks: JsonObject[] = [];
  const placed = new Set<string>();
  for (const chunk of chunks) {
    if (chunk['type'] === 'markdown_text') appendText(blocks, asString(chunk['text']));
    if (chunk['type'] === 'blocks') blocks.push(...asList(chunk['blocks']));
    if (chunk['type'] !== 'task_update') continue;
    const place = taskDisplay === 'plan' ? 'plan' : asString(chunk['id']);
    if (placed.has(place)) continue;
    placed.add(place);
    const shown = [...tasks.values()].map((task) => taskCard(task, ids));
    blocks.push(
      taskDisplay === 'plan'
        ? { type: 'plan', title: planTitle(chunks), tasks: shown }
        : taskCard(asJsonObject(tasks.get(place)), ids),
    );
  }
  return storedBlocks(core, blocks);
}

function appendText(blocks: JsonObject[], text: string): void {
  const last = blocks.at(-1);
  if (last?.['type'] === 'markdown')
    blocks.splice(-1, 1, { type: 'markdown', text: asString(last['text']) + text });
  else blocks.push({ type: 'markdown', text });
}

/** The newest title; without one, that of the first task. */
function planTitle(chunks: readonly JsonObject[]): string {
  const titled =
    chunks.findLast((chunk) => chunk['type'] === 'plan_update') ??
    chunks.find((chunk) => chunk['type'] === 'task_update');
  return asString(titled?.['title']);
}

function taskCard({ id, title, status, details, output, ...others }: JsonObject, ids: Ids): JsonObject {
  const rich = (text: unknown) => toRichText(asString(text), ids.next('b'));
  return {
    ...others,
    type: 'task_card',
    task_id: id,
    title,
    status,
    ...(details === undefined ? {} : { details: rich(details) }),
    ...(output === undefined ? {} : { output: rich(output) }),
  };
}
