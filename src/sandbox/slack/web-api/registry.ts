/** All methods of the Web API that the workspace has. */
import { basicMethods } from './basics.ts';
import { chatMethods } from './chat.ts';
import { chatChangeMethods } from './chat-changes.ts';
import { conversationMethods } from './conversations.ts';
import { historyMethods } from './history.ts';
import type { Method } from './method.ts';
import { peopleMethods } from './people.ts';
import { viewMethods } from './views.ts';

export function allMethods(openConnection: () => string): readonly Method[] {
  return [
    ...basicMethods(openConnection),
    ...chatMethods,
    ...chatChangeMethods,
    ...conversationMethods,
    ...historyMethods,
    ...peopleMethods,
    ...viewMethods,
  ];
}
