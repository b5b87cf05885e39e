/**
 * Windows in which an approver decides. A press only opens one; its submission decides, once, for the person, request
 * and seal (or hold) that it was opened for, whatever else could be pressed, edited or copied in Slack.
 */
import type { Role } from '../../lib/access.ts';
import { ageOf, type Clock, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { PersonId, RequestId, UserGroupId, WindowId } from '../../lib/ids.ts';
import { isAwaited } from '../../rules/quorum.ts';
import {
  type DecisionWindow,
  type LetsGoOn,
  type SeveralDecisions,
  type WhyAlone,
  type WindowDecision,
  type WindowRefusal,
  whyAlone,
} from '../../store/port/decision-windows.ts';
import { devicesDecided, type RequestRecord } from '../../store/port/request-records.ts';
import type { PauseRecord } from '../../store/port/settings-records.ts';
import type { Store, StoreTables } from '../../store/port/store.ts';
import { type ControlInput, isOnlyOffline } from './control-rollout.ts';
import { type ControlFacts, controlRefusal } from './rollout-machine.ts';
import {
  type AskedByNow,
  type DecisionInput,
  type DecisionResult,
  decisionRefusal,
} from './state-machine.ts';

/** What a button asks to decide, with what it showed: the seal, or what held the rollout. */
export type WantedDecision =
  | { readonly kind: 'approve'; readonly seal: string }
  | { readonly kind: 'deny'; readonly seal: string }
  | { readonly kind: LetsGoOn; readonly hold?: Instant | undefined };

type OpenWindowInput = {
  /** As the window shows it. */
  readonly request: RequestRecord;
  readonly person: PersonId;
  /** As they are now, not as they were when the card was drawn. */
  readonly role: Role | null;
  readonly groups?: readonly UserGroupId[];
  readonly wanted: WantedDecision;
};
type OpenWindowResult =
  | ({ readonly kind: 'open'; readonly decides: WindowDecision } & Pick<DecisionWindow, 'devices' | 'endsAt'>)
  | DecisionResult;

export type SubmitWindowInput = {
  readonly id: WindowId;
  readonly person: PersonId;
  readonly role: Role | null;
  /** The user groups of the rules that they are in now. */
  readonly groups?: readonly UserGroupId[];
  readonly view: DecisionWindow['view'];
  readonly devices?: number | undefined;
  readonly comment?: string | undefined;
  /** Of a window of several: which of them this decides. */
  readonly mark?: Mark | undefined;
  /** Tells one submission from the next, and is the same when one is handled again after a stop. */
  readonly submission: string;
  readonly askedAt: Instant;
  /** A window may be submitted before its row is there: an unknown one is refused at the second try. */
  readonly isFirstTry: boolean;
};
export type Mark = { readonly decision: 'approve' | 'deny'; readonly requestId: RequestId };
export type SubmitWindowResult =
  | { readonly kind: 'window-refused'; readonly why: WindowRefusal }
  | { readonly kind: 'submitted'; readonly decides: WindowDecision; readonly result: DecisionResult };

export type DecisionWindows = Readonly<ReturnType<typeof createDecisionWindows>>;

type JoinTransaction = (tables: StoreTables) => Promise<void>;
type DecisionWindowOptions = {
  readonly store: Store;
  readonly clock: Clock;
  /** A submission of this age lets nothing run any more. */
  readonly maxAgeMs: number;
  readonly decide: (input: DecisionInput, also: JoinTransaction) => Promise<DecisionResult>;
  readonly control: (input: ControlInput, also: JoinTransaction) => Promise<DecisionResult>;
  readonly auditRefusal: (refused: RefusedDecision) => Promise<void>;
  readonly askedByNow: (request: RequestRecord) => Promise<AskedByNow>;
};
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

export function createDecisionWindows(options: DecisionWindowOptions) {
  const { store, clock, auditRefusal } = options;
  const audit = async (about: Omit<RefusedDecision, 'why'>, result: OpenWindowResult): Promise<void> => {
    if (result.kind === 'refused') await auditRefusal({ ...about, why: result.refusal.kind });
  };

  return {
    /** Whether this person may decide it now; nothing is stored. */
    async openWindow(input: OpenWindowInput): Promise<OpenWindowResult> {
      const { request, person, wanted } = input;
      const [now, { rollout }] = [clock.now(), request];
      const onlyOffline = rollout !== null && (await isOnlyOffline(store, { ...request, rollout }, now));
      const asked = wanted.kind === 'approve' ? await options.askedByNow(request) : undefined;
      const opened = opening(input, { pause: await store.pause.current(), onlyOffline, asked, now });
      await audit({ action: 'approval.refused', person, subject: request.id, decision: wanted.kind }, opened);
      return opened;
    },
    /** Stores a window that Slack shows. */
    recordWindow: (window: DecisionWindow) => store.decisionWindows.insert(window, clock.now()),
    window: (id: WindowId) => store.decisionWindows.get(id),
    async submitWindow(input: SubmitWindowInput): Promise<SubmitWindowResult> {
      const { id, person, submission } = input;
      const window = await store.decisionWindows.get(id);
      const decides = window && decisionIn(window, input);
      const [decision, subject] = [decides?.kind, decides?.requestId ?? ''];
      const about = { action: 'window.refused', person, subject, decision } as const;
      const refused = async (why: WindowRefusal): Promise<SubmitWindowResult> => {
        if (window !== null || !input.isFirstTry) await auditRefusal({ ...about, why });
        return { kind: 'window-refused', why };
      };
      if (window === null) return refused('unknown-window');
      const misfit = windowRefusal(window, input);
      if (misfit !== null) return refused(misfit);
      // Nothing that was not offered in it is decided, whatever the submission says.
      if (decides === null) return refused('other-view');
      if (window.usedBy === submission && window.decides === decides) {
        const request = await store.requests.get(decides.requestId);
        const result = request === null ? ABSENT : ({ kind: 'repeated', request } as const);
        return { kind: 'submitted', decides, result };
      }
      try {
        const result = await submitted(options, { window, decides }, input);
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

/** What the submission decides; null: of several, one that the window does not offer. */
function decisionIn({ decides }: DecisionWindow, { mark }: SubmitWindowInput): WindowDecision | null {
  if (decides.kind !== 'several') return decides;
  const offered = decides.requests.find(({ requestId }) => requestId === mark?.requestId);
  return mark === undefined || offered === undefined ? null : { kind: mark.decision, ...offered };
}

/** A window of several is used by its first decision; one that a stop interrupted goes on. */
async function useOnce(
  { decisionWindows }: Pick<StoreTables, 'decisionWindows'>,
  { id, usedBy }: DecisionWindow,
  submission: string,
): Promise<void> {
  if (usedBy !== submission && !(await decisionWindows.use(id, submission)))
    throw new UnfitWindow('used-window');
}

/** Brings the decision of a genuine window about. */
async function submitted(
  { clock, maxAgeMs, decide, control }: DecisionWindowOptions,
  { window, decides }: { readonly window: DecisionWindow; readonly decides: WindowDecision },
  { person, role, groups = [], devices, comment, submission, askedAt }: SubmitWindowInput,
): Promise<DecisionResult> {
  const { requestId } = decides;
  const about = { requestId, person, role };
  const use: JoinTransaction = async (tables) => {
    // What makes nothing run counts however late it is handled.
    const isLate = decides.kind !== 'deny' && ageOf(askedAt, clock.now()) >= maxAgeMs;
    if (isLate) throw new UnfitWindow('ended-window');
    await useOnce(tables, window, submission);
  };
  if (decides.kind === 'approve' || decides.kind === 'deny')
    return decide({ ...about, groups, decision: decides.kind, seal: decides.seal, devices, comment }, use);
  const { kind, requestId: _, ...seen } = decides;
  return control({ ...about, ...seen, groups, control: kind }, use);
}

type OpeningFacts = Pick<ControlFacts, 'onlyOffline' | 'now'> & {
  readonly pause: PauseRecord | null;
  readonly asked: AskedByNow;
};

/** What a window would decide about the request as it is, or why none opens; pure. */
function opening(
  { request, person: by, role, groups = [], wanted }: OpenWindowInput,
  { pause, onlyOffline, asked, now }: OpeningFacts,
): OpenWindowResult {
  const { id: requestId, seal, rollout, expiresAt } = request;
  const endsAt = later(now, OPEN_MS);
  if (wanted.kind === 'approve' || wanted.kind === 'deny') {
    const { kind } = wanted;
    const devices = request.typedCount && kind === 'approve' ? devicesDecided(request) : null;
    const event = { kind, by, role, groups, asked, seal: wanted.seal, devices: devices ?? undefined };
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
  const press = { control: wanted.kind, by, role, groups, hold: wanted.hold };
  const refusal = controlRefusal({ ...request, rollout }, press, { onlyOffline });
  if (refusal !== null) return { kind: 'refused', refusal };
  if (pause !== null) return { kind: 'paused', pause };
  const { hold, wave } = rollout;
  const decides = { kind: wanted.kind, requestId, hold: hold?.at ?? null, wave };
  return { kind: 'open', decides, devices: null, endsAt };
}

/** Why a submission is not of this window; pure. */
function windowRefusal(
  window: DecisionWindow,
  { person, view, submission, askedAt }: SubmitWindowInput,
): WindowRefusal | null {
  if (window.personId !== person) return 'other-person';
  if (window.view.id !== view.id || window.view.hash !== view.hash) return 'other-view';
  if (window.usedBy === submission) return null;
  if (window.usedBy !== null) return 'used-window';
  return askedAt >= window.endsAt ? 'ended-window' : null;
}

/** Rows of a window: Slack takes 100 blocks, and a row has two. */
const PAGE_SIZE = 20;

type PageOptions = {
  readonly person: PersonId;
  /** Of the rules, that the person is in. */
  readonly groups: readonly UserGroupId[];
  readonly page: number;
  readonly now: Instant;
};

/** What a page of the window shows of those that wait, and what its submission may decide; pure. */
export function severalPage<R extends RequestRecord>(
  waiting: readonly R[],
  { person, groups, page: wanted, now }: PageOptions,
) {
  // One whose time is over waits no more, whether or not its work has run.
  const open = waiting.filter(({ expiresAt }) => expiresAt !== null && expiresAt > now);
  // Fewer may wait than when the button was shown.
  const page = Math.max(Math.min(wanted, Math.ceil(open.length / PAGE_SIZE) - 1), 0);
  const end = (page + 1) * PAGE_SIZE;
  const rows = open.slice(end - PAGE_SIZE, end).map((request) => ({
    request,
    alone: whyNotMarked(request, { by: person, groups }),
  }));
  const requests = rows.flatMap(({ request: { id: requestId, seal }, alone }) =>
    alone === null && seal !== null ? [{ requestId, seal }] : [],
  );
  const decides = { kind: 'several', requests } as const satisfies SeveralDecisions;
  return { rows, decides, devices: null, page, more: open.length > end, endsAt: later(now, OPEN_MS) };
}

function whyNotMarked(
  request: RequestRecord,
  by: { readonly by: PersonId; readonly groups: readonly UserGroupId[] },
): WhyAlone | null {
  if (request.requesterId === by.by) return 'own-request';
  return isAwaited(request.rules, by) ? whyAlone(request) : 'others-decide';
}
