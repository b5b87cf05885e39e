/** All methods of the Web API that the workspace has. */
import { basicMethods } from './basics.ts';
import { blockMethods } from './blocks-validate.ts';
import { chatMethods } from './chat.ts';
import { chatChangeMethods } from './chat-changes.ts';
import { chatScheduleMethods } from './chat-schedule.ts';
import { chatUnfurlMethods } from './chat-unfurl.ts';
import { conversationMethods } from './conversations.ts';
import { fileMethods } from './files.ts';
import { historyMethods } from './history.ts';
import { membershipMethods } from './membership.ts';
import type { Method } from './method.ts';
import { peopleMethods } from './people.ts';
import { reactionMethods } from './reactions.ts';
import { viewMethods } from './views.ts';

export function allMethods(openConnection: () => string): readonly Method[] {
  return [
    ...basicMethods(openConnection),
    ...blockMethods,
    ...chatMethods,
    ...chatChangeMethods,
    ...chatScheduleMethods,
    ...chatUnfurlMethods,
    ...conversationMethods,
    ...fileMethods,
    ...historyMethods,
    ...membershipMethods,
    ...peopleMethods,
    ...reactionMethods,
    ...viewMethods,
  ];
}
