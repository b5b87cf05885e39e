/** Runs a read command as typed. */
import type { ReadCommand, ReadPorts } from '../../../src/commands/core/command.ts';
import type { UsageFault, View } from '../../../src/views/model.ts';
import { inputOf, parse, type Typed } from './typed-line.ts';

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

/** Why these words are refused. */
export function faultOf(command: Typed<unknown>, text: string): UsageFault {
  const parsed = parse(command, text);
  if (parsed.kind !== 'fault') throw new Error('the words were taken');
  return parsed.fault;
}

function isOf<K extends View['kind']>(view: View, kind: K): view is Extract<View, { kind: K }> {
  return view.kind === kind;
}
