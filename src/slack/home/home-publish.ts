/** Puts a Home where its person sees it; in its simplest form where Slack does not understand the other. */
import type { PersonId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import type { HomeTab } from '../../views/home/home.ts';
import { plainHome } from '../../views/home/home-plain.ts';
import { type Asked, faultText, windowRefused } from '../faults.ts';
import type { SlackWeb } from '../web.ts';

export type PublishHome = (person: PersonId, tab: HomeTab) => Promise<Asked<null>>;

/** Gives how the last attempt ended. Of the same blocks a second one would be refused too, so it is in the other form. */
export function createPublishHome(web: Pick<SlackWeb, 'publishHome'>, log: Log): PublishHome {
  return async (person, tab) => {
    const ended = await web.publishHome(person, tab);
    if (ended.kind !== 'refused' || !windowRefused(ended.error)) return ended;
    log.warn(
      { event: 'home.refused', person, reason: faultText(ended) },
      'Slack refused a Home, publishing it as plain text',
    );
    return web.publishHome(person, plainHome(tab));
  };
}
