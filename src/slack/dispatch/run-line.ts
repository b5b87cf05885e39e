/** Runs a typed line: a command, a form for what is missing, the device it names, or what was not understood. */
import type { ReadPorts } from '../../commands/core/command.ts';
import { withAnswerableOffers } from '../../commands/parser/answerable-offers.ts';
import { createLineParser, type ParsedLine } from '../../commands/parser/line-parser.ts';
import { deviceNamedBy } from '../../commands/targets/device-mentions.ts';
import type { Problem, View } from '../../views/model.ts';
import { createPermissions } from '../access/permissions.ts';
import { visibleTo } from '../access/personal-data.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { createCallerPorts } from './caller-ports.ts';
import type { CommandOrder, CommandRunner, RunCommandOptions } from './run-command.ts';

/** Who typed a line, when, and the key of its delivery, so that a repeated one requests once. */
type LineSource = Pick<CommandOrder, 'caller' | 'requestKey' | 'askedAt'>;

export type RunLine = (text: string, source: LineSource) => Promise<View>;

export function createRunLine(options: RunCommandOptions, commands: CommandRunner): RunLine {
  const { registry, recordRefusal, root } = options;
  const rights = createPermissions(options);
  const parseLine = createLineParser(options);
  const portsOf = createCallerPorts(options);
  const mayNotRead = ({ person }: CommandSource) => rights.refusal(person, 'read');

  /** Keeps only offers that would be answered, for people who may read. */
  const withOffers = async (problem: Problem, caller: CommandSource): Promise<View> => {
    if (!('offers' in problem) || (await mayNotRead(caller)) !== null) return { kind: 'problem', problem };
    const ports = await portsOf(caller);
    const meant = await withMeantOffers(problem, ports);
    const answerable = await withAnswerableOffers(meant, registry, ports);
    return visibleTo(ports, { kind: 'problem', problem: answerable });
  };

  /** A line that starts with no command but names a device shows that device, to people who may read. */
  const deviceNamed = async (name: string, otherwise: Problem, source: LineSource): Promise<View> => {
    const { caller } = source;
    const command = registry.find('device');
    if (command === null || (await mayNotRead(caller)) !== null) return withOffers(otherwise, caller);
    const device = await deviceNamedBy(name, await portsOf(caller));
    return device === null
      ? withOffers(otherwise, caller)
      : commands.run(command, { ...source, input: { device }, page: 0 });
  };

  /** Offers only what the person may do. */
  const greetingView = async (caller: CommandSource): Promise<View> => {
    const refusal = await mayNotRead(caller);
    const changes = refusal === null && (await rights.refusal(caller.person, 'propose')) === null;
    return { kind: 'greeting', refusal, changes, root };
  };

  const runParsed = async (parsed: ParsedLine, source: LineSource): Promise<View> => {
    const { caller } = source;
    switch (parsed.kind) {
      case 'command':
        return commands.run(parsed.command, { ...source, input: parsed.input, page: 0 });
      case 'fill-in':
        return commands.withPermission(parsed.command, caller, async () => parsed.view);
      case 'problem':
        return parsed.possibleDeviceName === undefined
          ? withOffers(parsed.problem, caller)
          : deviceNamed(parsed.possibleDeviceName, parsed.problem, source);
      case 'greeting':
        return greetingView(caller);
    }
  };

  return async (text, source) => {
    const { caller } = source;
    const line = await parseLine(text, caller.person);
    if (line.kind !== 'kept') return runParsed(line, source);
    const refused = await mayNotRead(caller);
    if (refused !== null)
      return recordRefusal(caller.person, 'alias or saved target', { kind: 'problem', problem: refused });
    const view = await runParsed(line.parsed, source);
    // A form was opened, so nothing ran yet.
    return line.alias === null || view.kind === 'fill-in' ? view : { kind: 'expanded', view, ...line.alias };
  };
}

/** Without a close match, an unknown command was taken for the device of the command after it: it must be one. */
async function withMeantOffers(problem: Problem, ports: ReadPorts): Promise<Problem> {
  if (problem.kind !== 'unknown-command' || problem.nearest.length > 0) return problem;
  if ((await deviceNamedBy(problem.word, ports)) !== null) return problem;
  const { offers: _, ...withoutOffers } = problem;
  return withoutOffers;
}
