/**
 * blocks.validate (docs.slack.dev/reference/methods/blocks.validate): needs no token and no scope. It checks the blocks,
 * but nothing else that a message needs, such as its text.
 */

import { asJsonObject, asList, isJsonObject, type JsonObject } from '../core/json-object.ts';
import {
  additionalField,
  missingField,
  type ValidationProblem,
  validationErrors,
  validationProblem,
} from '../validate/validation-problem.ts';
import { checkView } from '../validate/view-rules.ts';
import { checkBlocks } from '../validate/whole-payload-rules.ts';
import type { CallArguments } from './calls/arguments.ts';
import { TIER, type WebApiMethod } from './calls/method.ts';
import { type ApiReply, errorReply, okReply } from './calls/replies.ts';

/** Of each argument (docs.slack.dev/reference/methods/blocks.validate, by slack-ruby/slack-api-ref, f4837c0c). */
const MAX_CHARACTERS = 100_000;

const KINDS = ['blocks', 'message', 'view'] as const;
type Kind = (typeof KINDS)[number];

function validateBlocks(args: CallArguments): ApiReply {
  const [kind, ...others] = KINDS.filter(args.has);
  if (kind === undefined || others.length > 0) {
    return invalidArguments('must provide exactly one of `blocks`, `view`, or `message`');
  }
  if ((args.text(kind) ?? '').length > MAX_CHARACTERS) {
    return invalidArguments(`must be less than ${MAX_CHARACTERS + 1} characters [json-pointer:/${kind}]`);
  }
  const sent = args.structure(kind);
  if (sent === undefined) return invalidArguments(`the value of \`${kind}\` must be valid JSON`);
  const errors = validationErrors(validationProblemsOf(kind, sent));
  return errors.length === 0 ? okReply() : errorReply(`invalid_${kind}`, { errors });
}

function invalidArguments(message: string): ApiReply {
  return errorReply('invalid_arguments', { response_metadata: { messages: [message] } });
}

function validationProblemsOf(kind: Kind, sent: unknown): readonly ValidationProblem[] {
  switch (kind) {
    case 'blocks':
      return checkBlocks(sent, 'message', '');
    case 'message':
      return isJsonObject(sent) ? messageProblems(sent) : validationProblem('', 'must provide an object');
    case 'view':
      return checkView(sent, asJsonObject(sent)['type'] === 'home' ? 'home' : 'modal').map((each) => ({
        ...each,
        pointer: each.pointer.replace(/^\/view/, ''),
      }));
    default:
      return kind satisfies never;
  }
}

/** Even `text` is refused in a message (slackapi/node-slack-sdk#2659, seen at the real one). */
function messageProblems(message: JsonObject): readonly ValidationProblem[] {
  const { blocks, attachments, ...others } = message;
  // Attachments without blocks can be sent, but not validated (slackblocks, spec/CHANGELOG.md).
  const inside = asList(attachments).flatMap((attachment, index) =>
    attachment['blocks'] === undefined
      ? missingField(`/attachments/${index}`, 'blocks')
      : checkBlocks(attachment['blocks'], 'message', `/attachments/${index}/blocks`),
  );
  const additional = Object.keys(others).flatMap((name) => additionalField('', name));
  return [
    ...additional,
    ...(blocks === undefined ? [] : checkBlocks(blocks, 'message', '/blocks')),
    ...inside,
  ];
}

export const blockMethods: readonly WebApiMethod[] = [
  {
    name: 'blocks.validate',
    token: 'none',
    scopes: [],
    perMinute: TIER.special,
    run: validateBlocks,
  },
];
