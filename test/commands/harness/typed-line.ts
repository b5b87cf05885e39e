/** Reads lines as they are typed. */
import type {
  Command,
  Planned,
  ReadCommand,
  ReadPorts,
  TypedInput,
} from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { type LineWords, tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import type { UsageFault, View } from '../../../src/views/views.ts';

type Typed<Input> = { readonly parse: (words: LineWords) => TypedInput<Input> };

export function lineWords(text: string): LineWords {
  const read = tokenizeTyped(text);
  if (read.kind === 'fault') throw new Error(`${text}: ${read.fault.kind}`);
  return read.words;
}

/** A line that begins with the name of its command, apart from that. */
export function namedLine(line: string): { readonly name: string; readonly words: LineWords } {
  const words = lineWords(line);
  const [name = '', ...free] = words.free;
  return { name, words: { ...words, free } };
}

export const parse = <Input>(command: Typed<Input>, text: string) => command.parse(lineWords(text));

export const inputOf = <Input>(command: Typed<Input>, text: string): Input => taken(parse(command, text));

export function taken<Input>(parsed: TypedInput<Input>): Input {
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault));
  return parsed.input;
}

/** Its answer to these words. */
export async function runCommand<K extends View['kind']>(
  command: ReadCommand,
  kind: K,
  text: string,
  ports: ReadPorts,
  page = 0,
): Promise<Extract<View, { kind: K }>> {
  const view = await command.run(inputOf(command, text), page, ports);
  if (!isOf(view, kind)) throw new Error(JSON.stringify(view));
  return view;
}

export function faultOf(command: Typed<unknown>, text: string): UsageFault {
  const parsed = parse(command, text);
  if (parsed.kind !== 'fault') throw new Error('the words were taken');
  return parsed.fault;
}

function isOf<K extends View['kind']>(view: View, kind: K): view is Extract<View, { kind: K }> {
  return view.kind === kind;
}

export function commandOf<K extends Command['kind']>(kind: K, name: string): Extract<Command, { kind: K }> {
  const command = registry.find(name);
  if (command === null || !isOfKind(command, kind)) throw new Error(`${name} is no such command`);
  return command;
}

function isOfKind<K extends Command['kind']>(of: Command, kind: K): of is Extract<Command, { kind: K }> {
  return of.kind === kind;
}

/** A change as it is typed, before it is planned. */
export function parsedChange(line: string) {
  const { name, words } = namedLine(line);
  return commandOf('write', name).parse(words);
}

export async function planLine(line: string, ports: ReadPorts) {
  return commandOf('write', namedLine(line).name).plan(taken(parsedChange(line)), ports);
}

/** Its proposal, with the ids of the devices in the order of their waves. */
export async function proposalOf(line: string, ports: ReadPorts) {
  return proposalIn(await planLine(line, ports));
}

export function proposalIn(planned: Planned) {
  if (planned.kind !== 'proposal') throw new Error(JSON.stringify(planned));
  const { proposal, leftOut = [] } = planned;
  return { ...proposal, leftOut, ids: proposal.targets.map(({ deviceId: id }) => Number(id)) };
}
