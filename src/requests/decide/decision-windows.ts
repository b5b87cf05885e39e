/**
 * Windows in which an approver lets something run. A press only opens one; its submission decides, once, for the person,
 * request and seal (or hold) that it was opened for, whatever else could be pressed, edited or copied in Slack.
 */
import type { Role } from '../../lib/access.ts';
import { ageOf, type Clock, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId, RequestId, WindowId } from '../../lib/ids.ts';
import type { DecisionWindow, WindowDecision } from '../../store/port/decision-windows.ts';
import { type RequestRecord, undecidedIn } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { type ControlInput, type ControlResult, isOnlyOffline } from './control-rollout.ts';
import { type ControlFacts, controlRefusal } from './rollout-machine.ts';
import { type DecisionInput, type DecisionResult, decisionRefusal } from './state-machine.ts';

/** What a button asks to decide, with what it showed: the seal, or what held the rollout. */
export type WantedDecision =
  | { readonly kind: 'approve'; readonly seal: string }
  | { readonly kind: LetsGoOn; readonly hold?: Instant | undefined };

export type OpenWindowInput = {
  /** As the window shows it. */
  readonly request: RequestRecord;
  readonly person: PersonId;
  /** As it is now, not as it was when the card was drawn. */
  readonly role: Role | null;
  readonly wanted: WantedDecision;
};
export type OpenWindowResult =
  | { readonly kind: 'open'; readonly decides: WindowDecision; readonly endsAt: Instant }
  | WindowOutcome;

export type SubmitWindowInput = {
  readonly id: WindowId;
  readonly person: PersonId;
  readonly role: Role | null;
  /** The view that was submitted. */
  readonly view: DecisionWindow['view'];
  /** The number of devices that the person typed. */
  readonly devices?: number | undefined;
  /** Tells one submission from the next, and is the same when one is handled again after a stop. */
  readonly submission: string;
  readonly askedAt: Instant;
  /** A window may be submitted before its row is there: an unknown one is refused at the second try. */
  readonly isFirstTry: boolean;
};
/** Why a submission decides nothing, whatever its request says. */
export type WindowRefusal = 'unknown-window' | 'other-person' | 'other-view' | 'used-window' | 'ended-window';
export type SubmitWindowResult =
  | { readonly kind: 'window-refused'; readonly why: WindowRefusal }
  | WindowOutcome;
/** What became of the decision itself. */
export type WindowOutcome =
  | { readonly kind: 'approval'; readonly requestId: RequestId; readonly result: DecisionResult }
  | { readonly kind: 'control'; readonly control: LetsGoOn; readonly result: ControlResult };
export type LetsGoOn = Exclude<WindowDecision['kind'], 'approve'>;

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
  readonly decide: (input: DecisionInput, also: JoinTransaction) => Promise<DecisionResult>;
  readonly control: (input: ControlInput, also: JoinTransaction) => Promise<ControlResult>;
  readonly auditRefusal: (refused: RefusedDecision) => Promise<void>;
};
/** What the audit says of a refused attempt. */
export type RefusedDecision = {
  readonly action?: 'approval.refused' | 'window.refused';
  readonly person: PersonId;
  readonly subject: string;
  readonly decision?: string | undefined;
  readonly why: string;
};

const OPEN_MS = 15 * MINUTE;

/** Thrown inside the deciding transaction, so that it leaves nothing behind. */
class UsedWindow extends Error {}

export function createDecisionWindows(options: DecisionWindowOptions): DecisionWindows {
  const { store, clock, maxAgeMs, auditRefusal } = options;

  return {
    async openWindow(input) {
      const [now, { rollout }] = [clock.now(), input.request];
      const onlyOffline =
        rollout !== null && (await isOnlyOffline(store, { ...input.request, rollout }, now));
      const opened = opening(input, { pause: await store.pause.current(), onlyOffline, now });
      const why = opened.kind === 'open' ? null : refusalIn(opened);
      if (why === null) return opened;
      const { person, request, wanted } = input;
      await auditRefusal({ person, subject: request.id, decision: wanted.kind, why });
      return opened;
    },
    async recordWindow(window) {
      await store.decisionWindows.dropEnded(clock.now());
      await store.decisionWindows.insert(window);
    },
    window: (id) => store.decisionWindows.get(id),
    async submitWindow(input) {
      const { id, person, submission } = input;
      const window = await store.decisionWindows.get(id);
      const audit = (why: string): Promise<void> => {
        const [decision, subject] = [window?.decides.kind, window?.requestId ?? ''];
        return auditRefusal({ action: 'window.refused', person, subject, decision, why });
      };
      const refused = async (refusal: WindowRefusal): Promise<SubmitWindowResult> => {
        await audit(refusal);
        return { kind: 'window-refused', why: refusal };
      };
      if (window === null && input.isFirstTry) return { kind: 'window-refused', why: 'unknown-window' };
      if (window === null) return refused('unknown-window');
      const misfit = windowRefusal(window, input, { now: clock.now(), maxAgeMs });
      if (misfit !== null) return refused(misfit);
      if (window.usedBy === submission) return repeated(store, window);
      try {
        const outcome = await submitted(options, window, input);
        if (hasDecided(outcome)) return outcome;
        // Whatever it came to, it was this window's one submission.
        if (await store.decisionWindows.use(id, submission)) {
          const why = refusalIn(outcome);
          if (why !== null) await audit(why);
          return outcome;
        }
      } catch (error) {
        if (!(error instanceof UsedWindow)) throw error;
      }
      return refused('used-window');
    },
  };
}

/** Brings the decision of a genuine window about. */
async function submitted(
  options: DecisionWindowOptions,
  window: DecisionWindow,
  input: SubmitWindowInput,
): Promise<WindowOutcome> {
  const { person, role, devices, submission, askedAt } = input;
  const { requestId, decides } = window;
  const about = { requestId, person, role };
  const use: JoinTransaction = async ({ decisionWindows }) => {
    if (!(await decisionWindows.use(window.id, submission))) throw new UsedWindow();
  };
  switch (decides.kind) {
    case 'approve': {
      const approval = { ...about, decision: decides.kind, seal: decides.seal, devices };
      return { kind: 'approval', requestId, result: await options.decide(approval, use) };
    }
    case 'resume':
    case 'continue':
    case 'continue-without': {
      const { kind: control, ...seen } = decides;
      const press = { ...about, ...seen, control, askedAt };
      return { kind: 'control', control, result: await options.control(press, use) };
    }
  }
}

/** What a submission that was handled before came to. */
async function repeated(
  { requests }: Pick<Store, 'requests'>,
  { requestId, decides }: DecisionWindow,
): Promise<WindowOutcome> {
  const request = await requests.get(requestId);
  if (decides.kind === 'approve') {
    const result: DecisionResult = request === null ? { kind: 'absent' } : { kind: 'repeated', request };
    return { kind: 'approval', requestId, result };
  }
  const result: ControlResult = request === null ? { kind: 'absent' } : { kind: 'changed', request };
  return { kind: 'control', control: decides.kind, result };
}

type OpeningFacts = Pick<ControlFacts, 'onlyOffline' | 'now'> & { readonly pause: PauseRecord | null };

/** What a window would decide about the request as it is, or why none opens; pure. */
function opening(
  { request, person: by, role, wanted }: OpenWindowInput,
  { pause, onlyOffline, now }: OpeningFacts,
): OpenWindowResult {
  const { id: requestId, seal, rollout, counts, expiresAt } = request;
  const endsAt = later(now, OPEN_MS);
  if (wanted.kind === 'approve') {
    const devices = request.typedCount ? undecidedIn(counts) : null;
    const event = { kind: 'approve', by, role, seal: wanted.seal, devices: devices ?? undefined } as const;
    const refusal = decisionRefusal(request, event, now);
    const ended = (result: DecisionResult) => ({ kind: 'approval', requestId, result }) as const;
    if (refusal !== null) return ended({ kind: 'refused', refusal });
    if (pause !== null) return ended({ kind: 'paused', pause });
    if (seal === null || expiresAt === null) return ended({ kind: 'absent' });
    const decides = { kind: 'approve', seal, devices } as const;
    return { kind: 'open', decides, endsAt: instant(Math.min(endsAt, expiresAt)) };
  }
  const control = wanted.kind;
  const ended = (result: ControlResult) => ({ kind: 'control', control, result }) as const;
  if (rollout === null) return ended({ kind: 'absent' });
  const press = { control, by, role, hold: wanted.hold };
  const refusal = controlRefusal({ ...request, rollout }, press, { onlyOffline });
  if (refusal !== null) return ended({ kind: 'refused', refusal });
  if (pause !== null) return ended({ kind: 'paused', pause });
  const { hold, wave } = rollout;
  return { kind: 'open', decides: { kind: control, hold: hold?.at ?? null, wave }, endsAt };
}

/** Why a submission is not of this window; pure. */
function windowRefusal(
  window: DecisionWindow,
  { person, view, submission, askedAt }: SubmitWindowInput,
  { now, maxAgeMs }: { readonly now: Instant; readonly maxAgeMs: number },
): WindowRefusal | null {
  if (window.personId !== person) return 'other-person';
  if (window.view.id !== view.id || window.view.hash !== view.hash) return 'other-view';
  if (window.usedBy === submission) return null;
  if (window.usedBy !== null) return 'used-window';
  return askedAt >= window.endsAt || ageOf(askedAt, now) >= maxAgeMs ? 'ended-window' : null;
}

function hasDecided({ result: { kind } }: WindowOutcome): boolean {
  return kind === 'decided' || kind === 'changed';
}

function refusalIn({ result }: WindowOutcome): string | null {
  return result.kind === 'refused' ? result.refusal.kind : null;
}
