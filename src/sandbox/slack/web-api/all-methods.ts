/** All methods of the Web API that the workspace has. */
import { assistantMethods } from './assistant-methods.ts';
import { basicMethods } from './basic-methods.ts';
import { blockMethods } from './blocks-validate.ts';
import type { WebApiMethod } from './calls/method.ts';
import { chatChangeMethods } from './chat-change-methods.ts';
import { chatMethods } from './chat-methods.ts';
import { chatScheduleMethods } from './chat-schedule-methods.ts';
import { chatStreamMethods } from './chat-stream-methods.ts';
import { chatUnfurlMethods } from './chat-unfurl-methods.ts';
import { conversationMethods } from './conversation-methods.ts';
import { fileMethods } from './file-methods.ts';
import { historyMethods } from './history-methods.ts';
import { membershipMethods } from './membership-methods.ts';
import { peopleMethods } from './people-methods.ts';
import { reactionMethods } from './reaction-methods.ts';
import { viewMethods } from './view-methods.ts';

export function allMethods(openConnection: () => string): readonly WebApiMethod[] {
  return [
    ...assistantMethods,
    ...basicMethods(openConnection),
    ...blockMethods,
    ...chatMethods,
    ...chatChangeMethods,
    ...chatScheduleMethods,
    ...chatStreamMethods,
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
