/**
 * blocks.validate (docs.slack.dev/reference/methods/blocks.validate): open to everybody, read from forms only.
 * It looks at the blocks and not at what a message needs beside them, such as its text.
 */
import type { Arguments } from '../arguments.ts';
import { type Fields, fieldsOf, isFields, listOf } from '../json.ts';
import { done, type Reply, refuse } from '../reply.ts';
import { checkBlocks } from '../validate/payload.ts';
import { type Problem, problem, validationErrors } from '../validate/problem.ts';
import { checkView } from '../validate/views.ts';
import { type Method, TIER } from './method.ts';

const KINDS = ['blocks', 'message', 'view'] as const;
type Kind = (typeof KINDS)[number];

function validate(args: Arguments): Reply {
  const [kind, ...others] = KINDS.filter(args.has);
  if (kind === undefined || others.length > 0) {
    const messages = ['must provide exactly one of `blocks`, `view`, or `message`'];
    return refuse('invalid_arguments', { response_metadata: { messages } });
  }
  const errors = validationErrors(problemsOf(kind, args.structure(kind)));
  return errors.length === 0 ? done() : refuse(`invalid_${kind}`, { errors });
}

function problemsOf(kind: Kind, sent: unknown): readonly Problem[] {
  switch (kind) {
    case 'blocks':
      return checkBlocks(sent, 'message', '');
    case 'message':
      return isFields(sent) ? messageProblems(sent) : problem('', 'must provide an object');
    case 'view':
      return checkView(sent, fieldsOf(sent)['type'] === 'home' ? 'home' : 'modal').map((each) => ({
        ...each,
        pointer: each.pointer.replace(/^\/view/, ''),
      }));
    default:
      return kind satisfies never;
  }
}

function messageProblems(message: Fields): readonly Problem[] {
  const { blocks, attachments } = message;
  const inside = listOf(attachments).flatMap((attachment, index) =>
    attachment['blocks'] === undefined
      ? []
      : checkBlocks(attachment['blocks'], 'message', `/attachments/${index}/blocks`),
  );
  return [...(blocks === undefined ? [] : checkBlocks(blocks, 'message', '/blocks')), ...inside];
}

export const blockMethods: readonly Method[] = [
  {
    name: 'blocks.validate',
    token: 'none',
    scopes: [],
    perMinute: TIER.special,
    only: 'form',
    run: validate,
  },
];
