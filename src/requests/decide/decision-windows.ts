/**
 * Windows in which an approver decides. A press only opens one; its submission decides, once, for the person, request
 * and seal (or hold) that it was opened for, whatever else could be pressed, edited or copied in Slack.
 */
import type { Role } from '../../lib/access.ts';
import { ageOf, type Clock, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId, WindowId } from '../../lib/ids.ts';
import { countIn, RESULT_STATES, undoneStates } from '../../rollout/results.ts';
import type {
  DecisionWindow,
  SeveralDecisions,
  WindowDecision,
  WindowRefusal,
} from '../../store/port/decision-windows.ts';
import { devicesDecided, type RequestRecord } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { type ControlInput, isOnlyOffline } from './control-rollout.ts';
import { decideMarked, type Marks, type RefusedWindow, type SeveralResult } from './decide-several.ts';
import { type ControlFacts, controlRefusal } from './rollout-machine.ts';
import { type DecisionInput, type DecisionResult, decidedState, decisionRefusal } from './state-machine.ts';

/** What a button asks to decide, with what it showed: the seal, or what held the rollout. */
export type WantedDecision =
  | { readonly kind: 'approve'; readonly seal: string }
  | { readonly kind: 'deny'; readonly seal: string }
  | Omit<WantedAgain, 'requestId' | 'devices'>
  | { readonly kind: LetsGoOn; readonly hold?: Instant | undefined };
type WantedAgain = Extract<WindowDecision, { kind: 'again' }>;
export type LetsGoOn = Exclude<WindowDecision['kind'], 'approve' | 'deny' | 'again'>;

type OpenWindowInput = {
  /** As the window shows it. */
  readonly request: RequestRecord;
  readonly person: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  readonly wanted: WantedDecision;
};
type OpenWindowResult =
  | ({ readonly kind: 'open'; readonly decides: WindowDecision } & Pick<DecisionWindow, 'devices' | 'endsAt'>)
  | DecisionResult;

export type SubmitWindowInput = {
  readonly id: WindowId;
  readonly person: PersonId;
  readonly role: Role | null;
  /** The view that was submitted. */
  readonly view: DecisionWindow['view'];
  /** The number of devices that the person typed. */
  readonly devices?: number | undefined;
  /** What the person says about the decision. */
  readonly comment?: string | undefined;
  /** Of several requests. */
  readonly marks?: Marks | undefined;
  /** Tells one submission from the next, and is the same when one is handled again after a stop. */
  readonly submission: string;
  readonly askedAt: Instant;
  /** A window may be submitted before its row is there: an unknown one is refused at the second try. */
  readonly isFirstTry: boolean;
};
export type SubmitWindowResult =
  | RefusedWindow
  | { readonly kind: 'submitted'; readonly decides: WindowDecision; readonly result: DecisionResult }
  | {
      readonly kind: 'several';
      readonly decision: Marks['decision'];
      readonly results: readonly SeveralResult[];
    };

export type DecisionWindows = {
  /** Whether this person may decide it now; nothing is stored. */
  readonly openWindow: (input: OpenWindowInput) => Promise<OpenWindowResult>;
  /** Stores a window that Slack shows. */
  readonly recordWindow: (window: DecisionWindow) => Promise<void>;
  readonly window: (id: WindowId) => Promise<DecisionWindow | null>;
  readonly submitWindow: (input: SubmitWindowInput) => Promise<SubmitWindowResult>;
};

type JoinTransaction = (tables: StoreTables) => Promise<void>;
export type DecisionWindowOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** A submission of this age lets nothing run any more. */
  readonly maxAgeMs: number;
  readonly decide: (input: DecisionInput, also?: JoinTransaction) => Promise<DecisionResult>;
  readonly control: (input: ControlInput, also: JoinTransaction) => Promise<DecisionResult>;
  readonly auditRefusal: (refused: RefusedDecision) => Promise<void>;
};
/** What the audit says of a refused attempt. */
export type RefusedDecision = {
  readonly action: 'approval.refused' | 'window.refused';
  readonly person: PersonId;
  readonly subject: string;
  readonly decision?: string | undefined;
  readonly why: string;
};

const OPEN_MS = 15 * MINUTE;

/** Thrown inside the deciding transaction, so that it leaves nothing behind. */
class UnfitWindow extends Error {
  readonly why: WindowRefusal;
  constructor(why: WindowRefusal) {
    super(why);
    this.why = why;
  }
}

export function createDecisionWindows(options: DecisionWindowOptions): DecisionWindows {
  const { store, clock, maxAgeMs, auditRefusal } = options;
  const audit = async (about: Omit<RefusedDecision, 'why'>, result: OpenWindowResult): Promise<void> => {
    if (result.kind === 'refused') await auditRefusal({ ...about, why: result.refusal.kind });
  };

  return {
    async openWindow(input) {
      const { request, person, wanted } = input;
      const [now, { rollout }] = [clock.now(), request];
      const onlyOffline = rollout !== null && (await isOnlyOffline(store, { ...request, rollout }, now));
      const opened = opening(input, { pause: await store.pause.current(), onlyOffline, now });
      await audit({ action: 'approval.refused', person, subject: request.id, decision: wanted.kind }, opened);
      return opened;
    },
    recordWindow: (window) => store.decisionWindows.insert(window, clock.now()),
    window: (id) => store.decisionWindows.get(id),
    async submitWindow(input) {
      const { id, person, submission } = input;
      const window = await store.decisionWindows.get(id);
      const about = { action: 'window.refused', person, ...aboutOf(window) } as const;
      const refused = async (why: WindowRefusal): Promise<SubmitWindowResult> => {
        if (window !== null || !input.isFirstTry) await auditRefusal({ ...about, why });
        return { kind: 'window-refused', why };
      };
      if (window === null) return refused('unknown-window');
      const misfit = windowRefusal(window, input, { now: clock.now(), maxAgeMs });
      if (misfit !== null) return refused(misfit);
      const { decides } = window;
      try {
        if (decides.kind === 'several') return await submittedMarks(options, { ...window, decides }, input);
        if (window.usedBy === submission) {
          const request = await store.requests.get(decides.requestId);
          const result = request === null ? ABSENT : ({ kind: 'repeated', request } as const);
          return { kind: 'submitted', decides, result };
        }
        const result = await submitted(options, { ...window, decides }, input);
        // Whatever it came to, it was this window's one submission.
        if (result.kind !== 'decided') await useOnce(store, window, submission);
        await audit(about, result);
        return { kind: 'submitted', decides, result };
      } catch (error) {
        if (error instanceof UnfitWindow) return refused(error.why);
        throw error;
      }
    },
  };
}

const ABSENT = { kind: 'absent' } as const;

/** What the audit says of it; a window of several is about no request. */
function aboutOf(window: DecisionWindow | null): Pick<RefusedDecision, 'subject' | 'decision'> {
  if (window === null || window.decides.kind === 'several') return { subject: '' };
  const { requestId: subject, kind: decision } = window.decides;
  return { subject, decision };
}

async function useOnce(
  { decisionWindows }: Pick<StoreTables, 'decisionWindows'>,
  { id }: DecisionWindow,
  submission: string,
): Promise<void> {
  if (!(await decisionWindows.use(id, submission))) throw new UnfitWindow('used-window');
}

/** Brings the decision of a genuine window about. What it requests once more is left to its caller. */
async function submitted(
  { store, decide, control }: DecisionWindowOptions,
  window: DecisionWindow & { readonly decides: WindowDecision },
  { person, role, devices, comment, submission }: SubmitWindowInput,
): Promise<DecisionResult> {
  const { decides } = window;
  const { requestId } = decides;
  const about = { requestId, person, role };
  const use: JoinTransaction = (tables) => useOnce(tables, window, submission);
  if (decides.kind === 'approve' || decides.kind === 'deny')
    return decide({ ...about, decision: decides.kind, seal: decides.seal, devices, comment }, use);
  if (decides.kind === 'again') {
    const request = await store.requests.get(requestId);
    if (request === null) return ABSENT;
    if (countAgain(request, decides) !== decides.devices) throw new UnfitWindow('other-devices');
    await useOnce(store, window, submission);
    return { kind: 'decided', request };
  }
  const { kind, requestId: _, ...seen } = decides;
  return control({ ...about, ...seen, control: kind }, use);
}

/** Decides what is marked, or goes on with what a stop left undecided. */
async function submittedMarks(
  { store, clock, maxAgeMs, decide, auditRefusal }: DecisionWindowOptions,
  window: DecisionWindow & { readonly decides: SeveralDecisions },
  { person, role, comment, submission, askedAt, marks }: SubmitWindowInput,
): Promise<SubmitWindowResult> {
  if (window.usedBy === null) await useOnce(store, window, submission);
  const { decision } = marks ?? NO_MARKS;
  const results = await decideMarked(window.decides, marks ?? NO_MARKS, async (one) => {
    const { requestId: subject } = one;
    if (letsRun(window, marks) && ageOf(askedAt, clock.now()) >= maxAgeMs) {
      const request = await store.requests.get(subject);
      const isBefore = request?.decidedBy === person && decidedState(request.state) === 'approved';
      return isBefore ? { kind: 'repeated', request } : { kind: 'window-refused', why: 'ended-window' };
    }
    const result = await decide({ ...one, person, role, comment });
    if (result.kind === 'refused')
      await auditRefusal({ action: 'window.refused', person, subject, decision, why: result.refusal.kind });
    return result;
  });
  return { kind: 'several', decision, results };
}

const NO_MARKS: Marks = { decision: 'approve', requests: [] };

/** A denial makes nothing run, so it counts however late it is handled. */
function letsRun({ decides: { kind } }: DecisionWindow, marks: Marks | undefined): boolean {
  return kind === 'several' ? marks?.decision !== 'deny' : kind !== 'deny';
}

type OpeningFacts = Pick<ControlFacts, 'onlyOffline' | 'now'> & { readonly pause: PauseRecord | null };

/** What a window would decide about the request as it is, or why none opens; pure. */
function opening(
  { request, person: by, role, wanted }: OpenWindowInput,
  { pause, onlyOffline, now }: OpeningFacts,
): OpenWindowResult {
  const { id: requestId, seal, rollout, expiresAt } = request;
  const endsAt = later(now, OPEN_MS);
  if (wanted.kind === 'again') {
    const decides = { ...wanted, requestId, devices: countAgain(request, wanted) };
    return { kind: 'open', decides, devices: null, endsAt };
  }
  if (wanted.kind === 'approve' || wanted.kind === 'deny') {
    const { kind } = wanted;
    const devices = request.typedCount && kind === 'approve' ? devicesDecided(request) : null;
    const event = { kind, by, role, seal: wanted.seal, devices: devices ?? undefined };
    const refusal = decisionRefusal(request, event, now);
    if (refusal !== null) return { kind: 'refused', refusal };
    if (pause !== null && kind === 'approve') return { kind: 'paused', pause };
    if (seal === null || expiresAt === null) return ABSENT;
    return {
      kind: 'open',
      decides: { kind, requestId, seal },
      devices,
      endsAt: instant(Math.min(endsAt, expiresAt)),
    };
  }
  if (rollout === null) return ABSENT;
  const press = { control: wanted.kind, by, role, hold: wanted.hold };
  const refusal = controlRefusal({ ...request, rollout }, press, { onlyOffline });
  if (refusal !== null) return { kind: 'refused', refusal };
  if (pause !== null) return { kind: 'paused', pause };
  const { hold, wave } = rollout;
  const decides = { kind: wanted.kind, requestId, hold: hold?.at ?? null, wave };
  return { kind: 'open', decides, devices: null, endsAt };
}

/** How many devices it would be requested for once more. */
function countAgain(request: RequestRecord, { of }: Pick<WantedAgain, 'of'>): number {
  return countIn(request.counts, of === null ? undoneStates(request) : RESULT_STATES[of]);
}

/** Why a submission is not of this window; pure. */
function windowRefusal(
  window: DecisionWindow,
  { person, view, submission, askedAt, marks }: SubmitWindowInput,
  { now, maxAgeMs }: { readonly now: Instant; readonly maxAgeMs: number },
): WindowRefusal | null {
  if (window.personId !== person) return 'other-person';
  if (window.view.id !== view.id || window.view.hash !== view.hash) return 'other-view';
  if (window.usedBy === submission) return null;
  if (window.usedBy !== null) return 'used-window';
  const isLate = letsRun(window, marks) && ageOf(askedAt, now) >= maxAgeMs;
  return askedAt >= window.endsAt || isLate ? 'ended-window' : null;
}
