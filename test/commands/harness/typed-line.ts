/** Reads lines as they are typed. */
import type { TypedInput } from '../../../src/commands/core/command.ts';
import { type LineWords, tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';

export type Typed<Input> = { readonly parse: (words: LineWords) => TypedInput<Input> };

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

/** The input that was read. */
export function taken<Input>(parsed: TypedInput<Input>): Input {
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault));
  return parsed.input;
}
