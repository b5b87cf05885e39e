/** Submits a planned change to the approval service and answers the requester with a link to the card. */
import type { ApprovalService } from '../../approvals/approval-service.ts';
import type { Proposal } from '../../commands/core/command.ts';
import type { Instant } from '../../lib/clock.ts';
import { type ChannelId, cardKey, newReference } from '../../lib/ids.ts';
import type { ApprovalRecord, CardKey } from '../../store/port/records.ts';
import type { Problem, View } from '../../views/model.ts';
import type { CardOutbox } from '../cards/card-outbox.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import type { SlackWeb } from '../web-api/slack-web.ts';

/** How long a private answer waits (wall time) for its card, so that it can link to it. */
const CARD_LINK_WAIT_MS = 4_000;

export type SubmitRequestOptions = {
  readonly desk: Pick<ApprovalService, 'request'>;
  readonly cards: Pick<CardOutbox, 'whenPosted'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly approvalsChannel: ChannelId;
};

/**
 * Requests a change, or starts it where no approval is needed. `requestKey` makes a repeated delivery request once;
 * `askedAt`: when the person asked, absent: just now.
 */
export type SubmitRequest = (
  proposal: Proposal,
  caller: CommandSource,
  requestKey: string,
  askedAt?: Instant,
) => Promise<View>;

type CardLink =
  | { readonly kind: 'link'; readonly url: string | null }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Renders the requester's note for the request as it is now. */
export type RefreshRequestNote = (approval: ApprovalRecord) => Promise<View>;

export function createRefreshRequestNote(options: Omit<SubmitRequestOptions, 'desk'>): RefreshRequestNote {
  const linkTo = createCardLinks(options);
  return async (approval) => {
    const link = await linkTo(cardKey('approval', approval.id));
    return {
      kind: 'asked',
      approval,
      channel: options.approvalsChannel,
      link: link.kind === 'link' ? link.url : null,
      already: false,
      mine: true,
      reasonUnused: false,
    };
  };
}

function createCardLinks({ cards, web, approvalsChannel: channel }: Omit<SubmitRequestOptions, 'desk'>) {
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

export function createSubmitRequest(options: SubmitRequestOptions): SubmitRequest {
  const { desk, approvalsChannel: channel } = options;
  const linkTo = createCardLinks(options);

  return async (proposal, caller, requestKey, askedAt) => {
    const { person: requester, channel: origin } = caller;
    const requested = await desk.request({ proposal, requester, channel: origin, requestKey, askedAt });
    if (requested.kind === 'paused') return { kind: 'problem', problem: requested };
    if (requested.kind === 'started') {
      const { id: operationId, command, targets, requesterId } = requested.operation;
      // It runs whether or not its card is posted; without a card the answer has no link.
      const link = await linkTo(cardKey('operation', operationId));
      return {
        kind: 'started',
        operationId,
        command,
        names: targets.map(({ displayName }) => displayName),
        link: link.kind === 'link' ? link.url : null,
        ...(requested.already ? { already: true } : {}),
        ...(requesterId === requester ? {} : { by: requesterId }),
      };
    }
    const { approval, already } = requested;
    if (approval.state !== 'waiting') {
      const { state, decidedBy: by, decidedAt: at } = approval;
      return { kind: 'decided', outcome: { kind: 'already', approval, state, by, at } };
    }
    const link = await linkTo(cardKey('approval', approval.id));
    if (link.kind === 'problem') return link;
    const mine = approval.requesterId === requester;
    const reasonUnused = already && proposal.reason !== null && proposal.reason !== approval.reason;
    return { kind: 'asked', approval, channel, link: link.url, already, mine, reasonUnused };
  };
}
