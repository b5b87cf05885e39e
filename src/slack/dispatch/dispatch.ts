/** Runs a person's command and returns one view: permission, command, approval service, and the only catch. Knows no transport. */
import { z } from 'zod';
import type {
  Command,
  Planned,
  ReadCommand,
  ReadPorts,
  Registry,
  SettingCommand,
  SharedPorts,
  WriteCommand,
} from '../../commands/core/command.ts';
import { requiredPermission } from '../../commands/core/reader-rights.ts';
import type { SettingsPort } from '../../commands/core/settings-port.ts';
import {
  commandIn,
  createLineParser,
  type LineResult,
  type ParsedLine,
  unknownLine,
} from '../../commands/parser/line-parser.ts';
import { listOfAll, topicLine } from '../../commands/parser/said-lines.ts';
import { withAnswerableOffers } from '../../commands/parser/typo-offers.ts';
import { deviceNamedBy } from '../../commands/targets/device-mentions.ts';
import { type DeviceRef, devicePicker, PERSON_PRIORITY } from '../../commands/targets/resolve-device.ts';
import {
  type Among,
  changeSaid,
  closerLine,
  devicesSaid,
  explainedLine,
  lineBeside,
  lineOfMentions,
  listByName,
  notesOn,
  unclearQuestion,
  unnamedUser,
} from '../../commands/targets/sentence.ts';
import { FleetFailure } from '../../fleet/fleet.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type { Permission } from '../../lib/access.ts';
import { ageOf, type Instant, wallNow } from '../../lib/clock.ts';
import { groupId, type PersonId, requestCardKey } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { Offer } from '../../views/models/problem-model.ts';
import { type Problem, rowOf, type View } from '../../views/views.ts';
import type { AccessRefusals } from '../access/access-refusals.ts';
import {
  createPermissions,
  createPersonalDataAccess,
  ofCommand,
  type PermissionsOptions,
  type PersonalDataAccess,
  type PersonalOptions,
  visibleTo,
} from '../access/permissions.ts';
import type { RoleLookup } from '../access/role-lookup.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import { MAX_EXPORT_ROWS, withShareButton } from '../sharing/share-answer.ts';
import { createDecide, type DecideOptions } from './decide.ts';
import type { CommandRequest, Dispatch } from './dispatch-port.ts';
import {
  createSubmitRequest,
  decidedView,
  type RequestSource,
  type SubmitRequestOptions,
  startedView,
} from './submit-request.ts';
import { createErrorReporter, markMaybeChanged, markRead } from './unexpected-errors.ts';

export type DispatchOptions = RunCommandOptions & {
  readonly people: RoleLookup;
  readonly requests: DecideOptions['requests'];
  readonly log: Log;
};

export function createDispatch(options: DispatchOptions): Dispatch {
  const { registry, root, log } = options;
  const failure = createErrorReporter(log);
  const startLog = createCommandLog(log);
  const commands = createCommandRunner(options);
  const runLine = createRunLine(options, commands);
  const decide = createDecide(options);

  /** The only catch: everything thrown below becomes a message for the person and a line in the log. */
  const answer = async (
    what: string,
    { person }: CommandSource,
    job: () => Promise<View>,
    event: 'command' | 'decision' = 'command',
  ): Promise<View> => {
    const ended = startLog({ event, what, person });
    const view = await job().catch(
      (thrown: unknown): View => ({ kind: 'problem', problem: failure({ what, person, thrown }) }),
    );
    ended(view);
    return view;
  };

  /** Only the command's name goes to the log, nothing else of the typed line. */
  const commandNameOf = (text: string): string =>
    registry.find(text.trim().split(/\s/, 1)[0] ?? '')?.name ?? 'other';

  return {
    runText: (text, caller, requestKey, askedAt) =>
      answer(commandNameOf(text), caller, () => runLine(text, { caller, requestKey, askedAt })),
    runCommand: ({ name, ...order }) =>
      answer(name, order.caller, async () => {
        const command = registry.find(name);
        if (command !== null) return commands.run(command, order);
        return { kind: 'problem', problem: { kind: 'unknown-command', word: name, nearest: [], root } };
      }),
    withdraw: (request) => answer('withdraw', request.caller, () => decide.withdraw(request), 'decision'),
    control: (request) => answer(request.control, request.caller, () => decide.control(request), 'decision'),
    openWindow: (request) =>
      answer(
        `window to ${request.wanted.kind}`,
        request.caller,
        () => decide.openWindow(request),
        'decision',
      ),
    submitWindow: (submitted) =>
      answer('window', submitted.caller, () => decide.submitWindow(submitted), 'decision'),
  };
}

type LoggedAction = {
  readonly event: 'command' | 'decision';
  /** The name of a command, or the decision. */
  readonly what: string;
  readonly person: PersonId;
};

/** Call it at the start, and the returned function with the answer. */
function createCommandLog(log: Log) {
  return (action: LoggedAction): ((view: View) => void) => {
    const began = wallNow();
    return (view) => {
      const innerView = innermostView(view);
      const line = {
        ...action,
        outcome: innerView.kind,
        ...rowOf(innerView).log?.(innerView),
        ms: wallNow() - began,
      };
      log.info(line, action.event === 'decision' ? 'decision handled' : 'command handled');
    };
  };
}

function innermostView(view: View): View {
  return 'view' in view && view.view !== null ? innermostView(view.view) : view;
}

/** Who typed a line, when, and the key of its delivery, so that a repeated one requests once. */
type LineSource = Pick<CommandOrder, 'caller' | 'requestKey' | 'askedAt'>;

type UnknownCommand = Omit<Extract<ParsedLine, { kind: 'problem' }>, 'problem'> & {
  readonly problem: Extract<Problem, { kind: 'unknown-command' }>;
};

function createRunLine(options: RunCommandOptions, commands: CommandRunner) {
  const { registry, recordRefusal, root } = options;
  const rights = createPermissions(options);
  const parseLine = createLineParser(options);
  const portsOf = createCallerPorts(options);
  const withOffers = createWithOffers(options);

  /**
   * A line that starts with no command: the device that its words name, or what `device` answers to a single word that
   * is close to no command.
   */
  const answerWithoutCommand = async (
    { problem, possibleDeviceName: said, sentence = problem }: UnknownCommand,
    source: LineSource,
  ): Promise<View> => {
    const { caller } = source;
    const ports = await portsOf(caller);
    if (problem.notDone !== undefined) return withMention(problem, source);
    const named = said === undefined ? null : await devicesSaid(said, problem, ports);
    const unclear = named !== null || (await isMeant(problem, ports)) ? null : sentence;
    const about = unclear === null || unclear === problem ? null : unclear.word;
    const meant = named ?? (about === null ? null : (topicLine(about) ?? commandIn(about, registry)));
    if (typeof meant === 'string') return readAs(meant, source, sentence.word);
    const command = registry.find('device');
    if (meant === null || command === null) return withOffers(unclear ?? problem, caller);
    const view = await commands.run(command, { ...source, input: meant, page: 0 });
    if (!isUnlikeAnyDevice(view)) return view;
    const topic = problem.nearest.length > 0 ? null : topicLine(problem.word);
    if (topic !== null) return readAs(topic, source, problem.word);
    return { kind: 'problem', problem: { ...problem, noDevice: true } };
  };

  /** What is not done here, with what it mentions, or is about. */
  const withMention = async (problem: UnknownCommand['problem'], source: LineSource): Promise<View> => {
    const { word } = problem;
    const { line, answers } = await lineBeside(problem, await portsOf(source.caller));
    if (line === null) return { kind: 'problem', problem };
    if (answers) return readAs(line, source, word);
    const parsed = await parseLine(line, source.caller.person);
    const offered = parsed.kind === 'kept' ? null : await unknownLine(word, line, parsed);
    return { kind: 'problem', problem: { ...offered, ...problem } };
  };

  /** Runs the line that a sentence was read as, which only looks, and says what it leaves out. */
  const readAs = async (line: string, source: LineSource, sentence: string): Promise<View> => {
    const read = await parseLine(line, source.caller.person);
    const ports = await portsOf(source.caller);
    const notes = await notesOn(sentence, line, ports);
    const unclear = unclearQuestion(sentence, line, notes.leftOut);
    if (unclear !== null) return withOffers(unclear, source.caller);
    const view = await runParsed(read.kind === 'kept' ? read.parsed : read, source);
    if (view.kind === 'fill-in') return view;
    const noUser = unnamedUser(sentence, innermostView(view), ports);
    return { kind: 'expanded', view, name: null, line, ...notes, noUser };
  };

  const runParsed = async (parsed: ParsedLine, source: LineSource): Promise<View> => {
    const { caller } = source;
    switch (parsed.kind) {
      case 'command':
        return commands.run(parsed.command, { ...source, input: parsed.input, page: 0 });
      case 'fill-in':
        return commands.withPermission(parsed.command, caller, async () => parsed.view);
      case 'time':
        return commands.withPermission(parsed.command, caller, async () =>
          noSchedulesView(parsed, await portsOf(caller, { purpose: 'planning' })),
        );
      case 'problem': {
        const { problem, possibleDeviceName: words } = parsed;
        if (problem.kind === 'unknown-command') return answerWithoutCommand({ ...parsed, problem }, source);
        if (words === undefined) return withOffers(problem, caller);
        // The command says what is asked about them.
        const sentence = 'command' in problem ? `${problem.command} ${words}` : words;
        const meant = (await lineOfMentions(sentence, await portsOf(caller))) ?? topicLine(words);
        return meant === null ? withOffers(problem, caller) : readAs(meant, source, sentence);
      }
      case 'greeting':
        return greetingView(caller, rights, root);
    }
  };

  /** The change that a sentence asks for, with its form: nothing is requested. Null where it names none. */
  const offerChange = async (sentence: string, source: LineSource): Promise<View | null> => {
    const { caller } = source;
    const ports = await portsOf(caller);
    const explained = await explainedLine(sentence, ports);
    if (explained !== null) return readAs(explained, source, sentence);
    const said = await changeSaid(sentence, ports);
    if (said === null || said.line === sentence) return null;
    const { line, asks, among } = said;
    const read = await parseLine(line, caller.person);
    if (read.kind === 'kept') return null;
    if (read.kind === 'time') return runParsed(read, source);
    const question = asks && read.kind === 'command' ? await commands.question(read, among, caller) : null;
    if (question !== null) return { kind: 'expanded', view: question, name: null, line };
    const other = await listByName(line, ports);
    const problem = await unknownLine(sentence, line, read, other === null ? [] : [other]);
    return problem && withOffers(problem, caller);
  };

  return async (text: string, source: LineSource): Promise<View> => {
    const { caller } = source;
    const line = await parseLine(text, caller.person);
    const look = lookIn(line, text);
    const isCommand = ['command', 'fill-in', 'greeting'].includes(line.kind) && look === null;
    const refused = isCommand ? null : await rights.refusal(caller.person, 'read');
    const answer =
      refused && refusedAnswer(line, refused, (...said) => recordRefusal(caller.person, ...said));
    if (answer !== null) return answer;
    const changed = mayAskForChange(line) && refused === null ? await offerChange(text, source) : null;
    if (changed !== null) return changed;
    const closer =
      look === null || refused !== null ? null : await closerLine(text, look, await portsOf(caller));
    if (look !== null && (closer !== null || line.kind === 'kept'))
      return readAs(closer ?? look, source, text);
    const view = await runParsed(line.kind === 'kept' ? line.parsed : line, source);
    // A form was opened, so nothing ran yet.
    if (line.kind === 'kept')
      return line.alias === null || view.kind === 'fill-in'
        ? view
        : { kind: 'expanded', view, ...line.alias };
    if (!isUnclear(view)) return view;
    const list = listOfAll(text);
    return (await offerChange(text, source)) ?? (list === null ? view : readAs(list, source, text));
  };
}

/** Keeps only offers that would be answered. */
function createWithOffers(options: RunCommandOptions) {
  const portsOf = createCallerPorts(options);
  return async (problem: Problem, caller: CommandSource): Promise<View> => {
    if (!('offers' in problem)) return { kind: 'problem', problem };
    const ports = await portsOf(caller);
    const answerable = await withAnswerableOffers(problem, options.registry, ports);
    return visibleTo(ports, { kind: 'problem', problem: answerable });
  };
}

/** For somebody who may not read, whatever was typed; null: what the line runs says so itself. */
function refusedAnswer(
  line: LineResult,
  problem: Problem,
  record: (attempt: string, answer: View) => View,
): View | null {
  if (line.kind === 'kept') return record('alias or saved target', { kind: 'problem', problem });
  if (line.kind !== 'problem') return null;
  return line.problem.kind === 'unknown-command'
    ? record('unknown command', { kind: 'problem', problem })
    : { kind: 'problem', problem: line.problem };
}

/** What a sentence was read as, or a typed line that may have only a part of the name of a package. */
function lookIn(line: LineResult, text: string): string | null {
  if (line.kind === 'kept') return line.alias?.name === null ? line.alias.line : null;
  return line.kind === 'command' && /^missing [^:"]+$/i.test(text) ? text : null;
}

/** A line that is no command, or is read as one that only looks; of a slip, the right line is offered instead. */
function mayAskForChange(line: LineResult): boolean {
  if (line.kind === 'kept') return line.alias?.name === null;
  // A time is found in whatever stands after a command.
  if (line.kind === 'time') return true;
  if (line.kind !== 'problem') return false;
  return line.problem.kind !== 'usage' || (line.problem.offers ?? []).length === 0;
}

/** Offers only what the person may do. */
async function greetingView(
  { person }: CommandSource,
  rights: ReturnType<typeof createPermissions>,
  root: string,
): Promise<View> {
  const refusal = await rights.refusal(person, 'read');
  const changes = refusal === null && (await rights.refusal(person, 'propose')) === null;
  return { kind: 'greeting', refusal, changes, root };
}

/** Planned as if it were requested, because the rules go by what it would change. */
async function noSchedulesView(
  { command, problem }: Extract<ParsedLine, { kind: 'time' }>,
  ports: ReadPorts,
): Promise<View> {
  const isPlanned = command.kind === 'write' && problem.does !== 'form';
  const planned = isPlanned
    ? await command.plan(problem.choice.input, { ...ports, onlyExplains: true })
    : null;
  const judged =
    planned?.kind === 'proposal'
      ? await ports.judge({ proposal: planned.proposal, requester: ports.asker })
      : null;
  const needsApproval = judged && judged.kind !== 'runs';
  return { kind: 'problem', problem: { ...problem, needsApproval } };
}

const isUnclear = (view: View): boolean =>
  view.kind === 'problem' && ['no-such-device', 'not-all-devices'].includes(view.problem.kind);

/** No device has this name or one close to it. A number that was typed can only have meant a device. */
function isUnlikeAnyDevice(view: View): boolean {
  if (view.kind !== 'problem' || view.problem.kind !== 'no-such-device') return false;
  const { query, nearest, offers = [] } = view.problem;
  return nearest.length === 0 && offers.length === 0 && !/^#?\d+$/.test(query);
}

/** Without a close match, an unknown command was taken for the device of the command after it: it must be one. */
async function isMeant({ nearest, offers, word }: UnknownCommand['problem'], ports: ReadPorts) {
  return nearest.length > 0 || (offers !== undefined && (await deviceNamedBy(word, ports)) !== null);
}

/** The same dispatch, whose answers use the prefix `root`. */
export function withCommandPrefix(dispatch: Dispatch, root: string): Dispatch {
  return {
    ...dispatch,
    runText: async (...request) => prefixView(await dispatch.runText(...request), root),
    runCommand: async (order) => prefixView(await dispatch.runCommand(order), root),
    submitWindow: async (submitted) => prefixView(await dispatch.submitWindow(submitted), root),
  };
}

/** Replaces it in the view, in the view that it contains, and in its problems. */
function prefixView(view: View, root: string): View {
  if (view.kind === 'problem') return { ...view, problem: prefixProblem(view.problem, root), root };
  if (view.kind === 'requested-again') {
    return {
      ...view,
      view: prefixView(view.view, root),
      unrequested: view.unrequested.map((one) => ({ ...one, problem: prefixProblem(one.problem, root) })),
    };
  }
  if (view.kind === 'expanded') return prefixOffers({ ...view, view: prefixView(view.view, root) }, root);
  if ('view' in view) return { ...view, view: prefixView(view.view, root) };
  if ('offers' in view) return prefixPagingLine(prefixOffers(view, root), root);
  return prefixPagingLine('root' in view ? { ...view, root } : view, root);
}

function prefixProblem(problem: Problem, root: string): Problem {
  const named = 'root' in problem ? { ...problem, root } : problem;
  return 'offers' in named ? prefixOffers(named, root) : named;
}

function prefixOffers<T extends { readonly offers?: readonly Offer[] }>(offering: T, root: string): T {
  const { offers } = offering;
  return offers === undefined
    ? offering
    : { ...offering, offers: offers.map((one) => prefixOffer(one, root)) };
}

function prefixOffer(offer: Offer, root: string): Offer {
  return offer.kind !== 'line'
    ? offer
    : { ...offer, line: `${root}${offer.line.slice(ROOT_COMMAND.length)}` };
}

/** The line that shows the same list again. */
function prefixPagingLine(view: View, root: string): View {
  return 'paging' in view && view.paging.line !== undefined
    ? { ...view, paging: { ...view.paging, line: { ...view.paging.line, root } } }
    : view;
}

type RunCommandOptions = SubmitRequestOptions &
  PermissionsOptions &
  PersonalOptions & {
    readonly registry: Registry;
    readonly ports: SharedPorts;
    readonly settings: SettingsPort;
    readonly recordRefusal: AccessRefusals['recordRefusal'];
    readonly root: string;
  };

type CommandOrder = Omit<CommandRequest, 'name'>;

type CommandRunner = Readonly<ReturnType<typeof createCommandRunner>>;

/** Runs one command for a person: the permission it needs, then what its kind does. A refusal is recorded. */
function createCommandRunner(options: RunCommandOptions) {
  const { recordRefusal } = options;
  const rights = createPermissions(options);
  const { read, write, set, question } = createCommandKinds(options);

  const withPermission = async (
    command: Command,
    { person }: CommandSource,
    job: () => Promise<View>,
  ): Promise<View> => {
    const refused = await rights.refusal(person, requiredPermission(command));
    const view: View =
      refused === null ? await job() : { kind: 'problem', problem: ofCommand(refused, command.name) };
    return recordRefusal(person, command.name, view);
  };

  return {
    withPermission,
    /** What is asked back, or in the way, before such a change could be requested; null: nothing. */
    async question(
      { command, input }: Extract<ParsedLine, { kind: 'command' }>,
      among: Among,
      caller: CommandSource,
    ) {
      if (command.kind !== 'write') return null;
      const refused = await rights.refusal(caller.person, requiredPermission(command));
      return refused === null ? question(command, input, among, caller) : null;
    },
    async run(command: Command, order: CommandOrder): Promise<View> {
      const { caller, input, page } = order;
      if (command.kind === 'read' && command.open)
        return recordRefusal(caller.person, command.name, await read(command, order));
      return withPermission(command, caller, async () => {
        if (command.kind === 'write') return write(command, order);
        const view = await (command.kind === 'read' ? read(command, order) : set(command, order));
        return withShareButton(view, caller, { command: command.name, input, page });
      });
    },
  };
}

type PlanChange = (ports: ReadPorts) => Promise<Planned>;

function createCommandKinds(options: RunCommandOptions) {
  const {
    settings,
    ports: { clock },
  } = options;
  const submit = createSubmitRequest(options);
  const tooLate = createCheckRequestAge(options);
  const portsOf = createCallerPorts(options);

  const read = async (command: ReadCommand, { input, page, caller, allPages }: CommandOrder) => {
    const ports = await portsOf(caller, { allPages: command.open ? false : allPages });
    return visibleTo(ports, await markRead(() => command.run(input, page, ports)));
  };

  const request = async (plan: PlanChange, source: RequestSource): Promise<View> => {
    const ports = await portsOf(source.caller, { purpose: 'planning' });
    const planned = await plan(ports);
    if (planned.kind === 'view') return visibleTo(ports, planned.view);
    if (planned.kind !== 'proposal') return visibleTo(ports, { kind: 'problem', problem: planned.problem });
    const view = await markMaybeChanged(() => submit(planned.proposal, source));
    const { leftOut: unrequested = [] } = planned;
    return unrequested.length > 0 && isNewRequest(view)
      ? { kind: 'requested-again', view, unrequested }
      : view;
  };

  /** `among`: the devices of which one is meant, where that is known. */
  const question = async (command: WriteCommand, input: unknown, among: Among, caller: CommandSource) => {
    const ports = await portsOf(caller, { purpose: 'planning' });
    if (among.devices.length > 1) {
      const again = (device: DeviceRef) => ({ command: command.name, input: { ...Object(input), device } });
      return visibleTo(ports, await devicePicker(among.query, among.devices, again, ports));
    }
    const planned = await command.plan(input, ports);
    if (planned.kind === 'proposal') return null;
    const view =
      planned.kind === 'view' ? planned.view : ({ kind: 'problem', problem: planned.problem } as const);
    return visibleTo(ports, view);
  };

  const write = async (
    command: WriteCommand,
    { input, caller, requestKey, askedAt }: CommandOrder,
  ): Promise<View> => {
    const late = await tooLate({ command, input, requestKey, askedAt });
    const asked = { name: command.name, input };
    return late ?? request((ports) => command.plan(input, ports), { caller, requestKey, askedAt, asked });
  };

  const set = async (
    command: SettingCommand,
    { input, page, caller, allPages, askedAt = clock.now() }: CommandOrder,
  ) => {
    const shared = await portsOf(caller, { allPages });
    const ports = { ...shared, settings, channel: caller.channel, askedAt };
    return visibleTo(ports, await markMaybeChanged(() => command.run(input, page, ports)));
  };

  return { read, write, set, question };
}

/** Whether this press made the request: an earlier one may be about other devices. */
function isNewRequest(view: View): boolean {
  return (
    (view.kind === 'approval-requested' && !view.already) ||
    (view.kind === 'started' && view.already !== true)
  );
}

type RequestedChangeInput = {
  readonly command: Pick<WriteCommand, 'name'>;
  readonly input: unknown;
  readonly requestKey: string;
  /** Absent: just now. */
  readonly askedAt: Instant | undefined;
};

type RequestAgePorts = Pick<SharedPorts, 'clock' | 'maxAgeMs'> & {
  readonly inventory: Pick<SharedPorts['inventory'], 'find' | 'groupName'>;
  readonly records: Pick<SharedPorts['records'], 'byRequestKey' | 'cardLink'>;
};

/** The message when it is too late; null where the change may still be requested. */
function createCheckRequestAge({ ports, root }: { readonly ports: RequestAgePorts; readonly root: string }) {
  const { clock, maxAgeMs, records, inventory } = ports;
  return async ({ command, input, requestKey, askedAt }: RequestedChangeInput): Promise<View | null> => {
    if (askedAt === undefined || ageOf(askedAt, clock.now()) < maxAgeMs) return null;
    const before = await records.byRequestKey(requestKey);
    if (before !== null) return earlierRequestView(before, records);
    const subject = await subjectOf(input, inventory);
    return { kind: 'too-late', command: command.name, input, subject, askedAt, maxAgeMs, root };
  };
}

/** Where the change was asked for in time but the process stopped before answering; null: its request waits and can be shown again. */
async function earlierRequestView(
  before: RequestWithTargets,
  records: RequestAgePorts['records'],
): Promise<View | null> {
  if (before.state === 'waiting') return null;
  if (before.expiresAt !== null) return decidedView(before);
  return startedView(before, await records.cardLink(requestCardKey(before)));
}

/** The name of the device or group; its number where the service does not answer or no longer has it. */
async function subjectOf(input: unknown, inventory: RequestAgePorts['inventory']): Promise<string | null> {
  const { device, group, name } = subjectSchema.catch({}).parse(input);
  if (typeof device === 'number')
    return (await nameOrNull(() => deviceName(device, inventory))) ?? `#${device}`;
  if (device !== undefined) return device;
  if (typeof group === 'number')
    return (await nameOrNull(() => inventory.groupName(groupId(group), PERSON_PRIORITY))) ?? `#${group}`;
  return group ?? name ?? null;
}

const nameOrNumber = z.union([z.string(), z.number()]).optional();
/** The name of a new group is tried last: other inputs also carry a name, the one to be given. */
const subjectSchema = z.object({
  device: nameOrNumber,
  group: nameOrNumber,
  name: z.string().optional().catch(undefined),
});

async function deviceName(id: number, { find }: RequestAgePorts['inventory']): Promise<string | null> {
  const found = await find(`#${id}`, { ...PERSON_PRIORITY, exact: true });
  return found.kind === 'one' ? displayName(found.device) : null;
}

async function nameOrNull(read: () => Promise<string | null>): Promise<string | null> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof FleetFailure) return null;
    throw error;
  }
}

type PortsPurpose = {
  /** The whole list in one, instead of a page. */
  readonly allPages?: boolean | undefined;
  readonly purpose?: keyof PersonalDataAccess;
};

function createCallerPorts(options: PermissionsOptions & PersonalOptions) {
  const rights = createPermissions(options);
  const personal = createPersonalDataAccess(options);
  return async ({ person }: CommandSource, { allPages = false, purpose = 'reading' }: PortsPurpose = {}) => ({
    ...(await personal[purpose](person)),
    asker: person,
    refusal: (need: Permission) => rights.refusal(person, need),
    ...(allPages ? { pageSize: MAX_EXPORT_ROWS } : {}),
  });
}
