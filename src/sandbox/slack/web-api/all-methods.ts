/** All methods of the Web API that the workspace has. */
import { basicMethods } from './basic-methods.ts';
import { blockMethods } from './blocks-validate.ts';
import type { WebApiMethod } from './calls/method.ts';
import { chatChangeMethods } from './chat-change-methods.ts';
import { chatMethods } from './chat-methods.ts';
import { chatUnfurlMethods } from './chat-unfurl-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { historyMethods } from './history-methods.ts';
import { membershipMethods } from './membership-methods.ts';
import { peopleMethods } from './people-methods.ts';
import { viewMethods } from './view-methods.ts';

export function allMethods(openConnection: () => string): readonly WebApiMethod[] {
  return [
    ...basicMethods(openConnection),
    ...blockMethods,
    ...chatMethods,
    ...chatChangeMethods,
    ...chatUnfurlMethods,
    ...conversationMethods,
    ...fileMethods,
    ...historyMethods,
    ...membershipMethods,
    ...peopleMethods,
    ...viewMethods,
  ];
}
