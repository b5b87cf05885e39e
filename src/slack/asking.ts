/** Takes a planned change to the approvals desk and answers the one who asked, with a link to the card. */
import type { Desk } from '../approvals/desk.ts';
import type { Instant } from '../clock.ts';
import type { Proposal } from '../commands/command.ts';
import { type ChannelId, cardKey, newReference } from '../ids.ts';
import type { ApprovalRecord, CardKey } from '../store/records.ts';
import type { Problem, View } from '../views/model.ts';
import type { Cards } from './cards/cards.ts';
import type { Caller } from './replies.ts';
import type { SlackWeb } from './web.ts';

/** How long a private answer waits (wall time) for its card to stand, so that it can link to it. */
const CARD_WAIT_MS = 4_000;

export type AskingOptions = {
  readonly desk: Pick<Desk, 'request'>;
  readonly cards: Pick<Cards, 'whenPosted'>;
  readonly web: Pick<SlackWeb, 'permalink'>;
  readonly approvalsChannel: ChannelId;
};

/**
 * Asks for a change, or starts it where nobody has to agree. `requestKey` makes a repeated delivery ask once; `askedAt`:
 * when the person asked, absent: just now.
 */
export type Ask = (
  proposal: Proposal,
  caller: Caller,
  requestKey: string,
  askedAt?: Instant,
) => Promise<View>;

type Link =
  | { readonly kind: 'link'; readonly url: string | null }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** Says anew that the request of the one who is told waits, as it stands now. */
export type Noting = (approval: ApprovalRecord) => Promise<View>;

export function createNoting(options: Omit<AskingOptions, 'desk'>): Noting {
  const linkTo = createLinking(options);
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

function createLinking({ cards, web, approvalsChannel: channel }: Omit<AskingOptions, 'desk'>) {
  return async (key: CardKey): Promise<Link> => {
    const end = await cards.whenPosted(key, CARD_WAIT_MS);
    switch (end.kind) {
      case 'posted':
        return { kind: 'link', url: await web.permalink(end.place) };
      case 'refused':
        return { kind: 'problem', problem: { kind: 'card-refused', channel, slackError: end.error } };
      case 'delayed':
        return { kind: 'problem', problem: { kind: 'card-delayed', channel, reference: newReference() } };
    }
  };
}

export function createAsking(options: AskingOptions): Ask {
  const { desk, approvalsChannel: channel } = options;
  const linkTo = createLinking(options);

  return async (proposal, caller, requestKey, askedAt) => {
    const { person: requester, channel: asked } = caller;
    const requested = await desk.request({ proposal, requester, channel: asked, requestKey, askedAt });
    if (requested.kind === 'paused') return { kind: 'problem', problem: requested };
    if (requested.kind === 'started') {
      const { id: operationId, command, targets, requesterId } = requested.operation;
      // It runs whether or not its card stands: without one the answer has no link.
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
