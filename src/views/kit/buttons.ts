/** Buttons that run a command or open its form. */
import { z } from 'zod';
import { instant } from '../../lib/clock.ts';
import { deviceId, requestId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import { type Button, type ButtonOptions, button } from './blocks.ts';
import { inlineCode, type Mrkdwn } from './escape.ts';
import { DISPLAY_LIMIT, LIMIT } from './limits.ts';

const controlSchema = z.enum(['pause', 'resume', 'continue', 'continue-without', 'stop', 'close']);
/** What a person does to a rollout that runs. */
export type ControlKind = z.output<typeof controlSchema>;

const schema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('decide'),
    approval: z.string().min(1).transform(requestId),
    seal: z.string(),
  }),
  z.object({
    do: z.literal('control'),
    request: z.string().min(1).transform(requestId),
    control: controlSchema,
    /** What it lets go on, by the time from which that held the rollout; absent: nothing did. */
    hold: z.int().transform(instant).exactOptional(),
  }),
  z.object({
    do: z.literal('run'),
    command: z.string().min(1),
    input: z.unknown(),
    page: z.int().nonnegative().exactOptional(),
  }),
  /** Opens the window in which several requests are decided, at this page. */
  z.object({ do: z.literal('several'), page: z.int().nonnegative() }),
  z.object({ do: z.literal('form'), command: z.string().min(1), input: z.unknown() }),
  /** Shows the device, or one of its pages. */
  z.object({
    do: z.literal('device'),
    device: z.int().positive().transform(deviceId),
    page: z.string().min(1).exactOptional(),
  }),
]);
/** As JSON. Messages keep theirs for years, so the names stay: `approval` and `operation` are both the id of a request. */
export type ButtonValue = z.output<typeof schema>;

type RunButtonOptions = Omit<ButtonOptions, 'value'> & Omit<Extract<ButtonValue, { do: 'run' }>, 'do'>;

/** A button that runs a command; null where the input is too long for a button. */
export function runButton({ command, input, page, ...options }: RunButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'run', command, input, ...(page === undefined ? {} : { page }) });
  return value === null ? null : button({ ...options, value });
}

type FormButtonOptions = Pick<ButtonOptions, 'label'> &
  Partial<Pick<ButtonOptions, 'action'>> &
  Omit<Extract<ButtonValue, { do: 'form' }>, 'do'>;
/** A button that opens a command's form, filled with `input`; null where the input is too long for a button. */
export function formButton({ action = 'form', label, command, input }: FormButtonOptions): Button | null {
  const value = writeButtonValue({ do: 'form', command, input });
  return value === null ? null : button({ action, label, value });
}

/** A command as it is typed, with the configured slash command as its root. */
export function typedCommand(root: string, line: string): Mrkdwn {
  return inlineCode(`${root} ${line}`, DISPLAY_LIMIT.sentence);
}

/** The value as JSON; null where it is longer than Slack allows. */
export function writeButtonValue(value: ButtonValue): string | null {
  // Input may contain text that looks like a mention, so `<` is escaped.
  const text = JSON.stringify(value).replaceAll('<', '\\u003c');
  return text.length > LIMIT.buttonValue ? null : text;
}

/** The value of a pressed button; null where it is not one that we wrote. */
export function readButtonValue(text: string): ButtonValue | null {
  return schema.safeParse(tryParseJson(text)).data ?? null;
}

/** The block id of a sort menu: the list that it sorts. Null where it is too long for a button value. */
export function writeSortBlockId(list: { readonly command: string; readonly input: object }): string | null {
  return writeButtonValue({ do: 'run', ...list });
}

/** The list from the block id with the chosen order; null where it is not one that we wrote. */
export function readSortBlockId(block: string, chosen: string): ButtonValue | null {
  const list = readButtonValue(block);
  if (list?.do !== 'run' || typeof list.input !== 'object' || list.input === null) return null;
  return { ...list, input: { ...list.input, sort: tryParseJson(chosen) ?? null } };
}
