/** Runs a read command as typed. */
import type { ReadCommand, ReadPorts } from '../../../src/commands/core/command.ts';
import { tokenizeTyped } from '../../../src/commands/parser/tokenizer.ts';
import type { UsageFault, View } from '../../../src/views/model.ts';

function parse(command: ReadCommand, text: string) {
  const read = tokenizeTyped(text);
  if (read.kind === 'fault') throw new Error(read.fault.kind);
  return command.parse(read.words);
}

/** Its answer to these words. */
export async function runCommand<K extends View['kind']>(
  command: ReadCommand,
  kind: K,
  text: string,
  ports: ReadPorts,
  page = 0,
): Promise<Extract<View, { kind: K }>> {
  const parsed = parse(command, text);
  if (parsed.kind === 'fault') throw new Error(JSON.stringify(parsed.fault));
  const view = await command.run(parsed.input, page, ports);
  if (!isOf(view, kind)) throw new Error(JSON.stringify(view));
  return view;
}

/** Why these words are refused. */
export function faultOf(command: ReadCommand, text: string): UsageFault {
  const parsed = parse(command, text);
  if (parsed.kind !== 'fault') throw new Error('the words were taken');
  return parsed.fault;
}

function isOf<K extends View['kind']>(view: View, kind: K): view is Extract<View, { kind: K }> {
  return view.kind === kind;
}
