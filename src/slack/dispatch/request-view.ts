/** What somebody is told about a request: that it waits, that it runs, or how it was decided. */
import type { ChannelId, PersonId } from '../../lib/ids.ts';
import { decidedState } from '../../requests/decide/state-machine.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { View } from '../../views/model.ts';
import { namesOf } from '../../views/requests/request-card.ts';

export type RequestViewOptions = {
  readonly person: PersonId;
  /** Where approvers see it. */
  readonly channel: ChannelId;
  /** A link to its card; null where it is not posted. */
  readonly link: string | null;
  /** It was requested before. */
  readonly already: boolean;
  /** A reason was given now that the card does not show. */
  readonly reasonUnused?: boolean;
};

export function requestView(request: RequestWithTargets, options: RequestViewOptions): View {
  const { person, channel, link, already, reasonUnused = false } = options;
  const { state, requesterId, expiresAt } = request;
  const mine = requesterId === person;
  if (expiresAt === null) {
    const started = startedView(request, link);
    return { ...started, ...(already ? { already } : {}), ...(mine ? {} : { by: requesterId }) };
  }
  if (state === 'waiting') return { kind: 'asked', request, channel, link, already, mine, reasonUnused };
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
