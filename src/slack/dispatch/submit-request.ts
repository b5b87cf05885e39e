/** Submits a planned change to the approval service and answers the requester with a link to the card. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { type AskedCommand, reasonOffer } from '../../commands/targets/resolve-targets.ts';
import type { Instant } from '../../lib/clock.ts';
import { type CardKey, type ChannelId, newReference, type PersonId, requestCardKey } from '../../lib/ids.ts';
import type { Proposal, RecordRequestResult } from '../../requests/decide/record-request.ts';
import type { RequestService } from '../../requests/decide/request-service.ts';
import { decidedState } from '../../requests/decide/state-machine.ts';
import type { RequestRecord, RequestWithTargets } from '../../store/port/request-records.ts';
import { namesOf } from '../../views/requests/request-card.ts';
import type { Problem, View } from '../../views/views.ts';
import type { CardOutbox } from '../cards/card-outbox.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** How long a private answer waits (wall time) for its card, so that it can link to it. */
const CARD_LINK_WAIT_MS = 4_000;

export type SubmitRequestOptions = {
  readonly requests: Pick<RequestService, 'record'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest' | 'requests' | 'cardLink'> };
  readonly cards: Pick<CardOutbox, 'whenPosted'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly approvalsChannel: ChannelId;
};

/** `requestKey` makes a repeated delivery request once; `askedAt`: when the person asked, absent: just now. */
type SubmitRequest = (proposal: Proposal, source: RequestSource) => Promise<View>;

export type RequestSource = {
  readonly caller: CommandSource;
  readonly requestKey: string;
  readonly askedAt?: Instant | undefined;
  readonly asked: AskedCommand;
};

type CardLink =
  | { readonly kind: 'link'; readonly url: string | null }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Renders the requester's note for the request as it is now. */
export type RefreshRequestNote = (request: RequestRecord) => Promise<View>;

export type NoteOptions = Omit<SubmitRequestOptions, 'requests'>;

export function createRefreshRequestNote(options: NoteOptions): RefreshRequestNote {
  const linkTo = createCardLinks(options);
  return async (stored) => {
    const link = await linkTo(requestCardKey(stored));
    const request = await options.ports.records.shownRequest(stored.id);
    if (request === null) return { kind: 'decided', outcome: { kind: 'absent' } };
    return requestView(request, {
      person: request.requesterId,
      channel: options.approvalsChannel,
      link: link.kind === 'link' ? link.url : null,
      already: false,
    });
  };
}

function createCardLinks({ cards, web, approvalsChannel: channel }: NoteOptions) {
  return async (key: CardKey): Promise<CardLink> => {
    const end = await cards.whenPosted(key, CARD_LINK_WAIT_MS);
    switch (end.kind) {
      case 'posted':
        return { kind: 'link', url: await web.permalink(end.message) };
      case 'refused':
        return { kind: 'problem', problem: { kind: 'card-refused', channel, slackError: end.error } };
      case 'delayed':
        return { kind: 'problem', problem: { kind: 'card-delayed', channel, reference: newReference() } };
    }
  };
}

/** Why nothing was recorded, with what the person can do about it. */
async function refusalOf(
  result: Exclude<RecordRequestResult, { kind: 'recorded' }>,
  proposal: Proposal,
  { caller: { person }, asked }: RequestSource,
  { records }: SubmitRequestOptions['ports'],
): Promise<Problem> {
  if (result.kind === 'paused') return result;
  if (result.kind === 'differs') {
    const request = await records.shownRequest(result.request.id);
    if (request === null) throw new Error(`request ${result.request.id} is not stored`);
    const link = await records.cardLink(requestCardKey(request));
    const { plan = null, targets } = proposal;
    return {
      kind: 'request-differs',
      request,
      link,
      plan,
      devices: targets.length,
      mine: request.requesterId === person,
    };
  }
  if (result.kind === 'rule-refuses') return { ...result, total: proposal.targets.length };
  if (result.kind === 'reason-unfit') return { ...result, offers: [reasonOffer(asked)] };
  const { limit } = result;
  switch (limit.kind) {
    case 'daily-limit':
      return limit;
    case 'reason-required':
      return { ...limit, offers: [reasonOffer(asked)] };
    case 'too-many-waiting': {
      const waiting = await records.requests({ states: ['waiting'], requesterId: person }, limit.most);
      return { ...limit, waiting };
    }
  }
}

export function createSubmitRequest(options: SubmitRequestOptions): SubmitRequest {
  const { requests, ports, approvalsChannel: channel } = options;
  const linkTo = createCardLinks(options);

  return async (proposal, source) => {
    const { caller, requestKey, askedAt } = source;
    const { person, channel: origin } = caller;
    const recorded = await requests.record({
      proposal,
      requester: person,
      channel: origin,
      requestKey,
      askedAt,
    });
    if (recorded.kind !== 'recorded')
      return { kind: 'problem', problem: await refusalOf(recorded, proposal, source, ports) };
    const { already, request: stored } = recorded;
    const isWaiting = stored.state === 'waiting';
    const isImmediate = stored.expiresAt === null;
    const link = isWaiting || isImmediate ? await linkTo(requestCardKey(stored)) : null;
    // Without its card nobody can approve it. What needs no approval runs whether or not its card is posted.
    if (link?.kind === 'problem' && isWaiting) return link;
    const request = await ports.records.shownRequest(stored.id);
    if (request === null) return { kind: 'decided', outcome: { kind: 'absent' } };
    const reasonUnused = already && proposal.reason !== null && proposal.reason !== stored.reason;
    return requestView(request, {
      person,
      channel,
      link: link?.kind === 'link' ? link.url : null,
      already,
      reasonUnused,
    });
  };
}

type RequestViewOptions = {
  readonly person: PersonId;
  readonly channel: ChannelId;
  /** A link to its card; null where it is not posted. */
  readonly link: string | null;
  readonly already: boolean;
  /** A reason was given now that the card does not show. */
  readonly reasonUnused?: boolean;
};

function requestView(request: RequestWithTargets, options: RequestViewOptions): View {
  const { person, channel, link, already, reasonUnused = false } = options;
  const { state, requesterId, expiresAt } = request;
  const mine = requesterId === person;
  if (expiresAt === null) {
    const started = startedView(request, link);
    return { ...started, ...(already ? { already } : {}), ...(mine ? {} : { by: requesterId }) };
  }
  if (state === 'waiting')
    return { kind: 'approval-requested', request, channel, link, already, mine, reasonUnused };
  return decidedView(request);
}

/** That it runs, because it needed no approval. */
export function startedView(request: RequestWithTargets, link: string | null) {
  const { id: requestId, action } = request;
  return { kind: 'started', requestId, action, names: namesOf(request), link } as const;
}

export function decidedView(request: RequestWithTargets): View {
  const { state, decidedBy: by, decidedAt: at } = request;
  return { kind: 'decided', outcome: { kind: 'already', request, state: decidedState(state), by, at } };
}
