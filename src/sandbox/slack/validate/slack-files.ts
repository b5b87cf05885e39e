/** Pictures that are files of the workspace (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object). */
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

/** “Can be the `url_private` or the `permalink`”. */
const ADDRESS = /\/(?:files-pri\/\w+-|files\/\w+\/)(F\w+)\//;

type SlackFile = { readonly id: string; readonly pointer: string; readonly shownPointer: string };

/**
 * Every `slack_file` that is no picture of this workspace, in the words of the real one: slack-uploads-example, and public
 * bots that read them from its answers. python-slack-sdk, issue 1797, of 2025, ends at `slack_file`.
 */
export function slackFileProblems(
  value: unknown,
  pointer: string,
  isPicture: (id: string) => boolean,
): readonly ValidationProblem[] {
  return slackFiles(value, pointer)
    .filter(({ id }) => !isPicture(id))
    .flatMap(({ pointer: at, shownPointer }) =>
      validationProblem(at, 'invalid slack file', { shownPointer }),
    );
}

/** The file of every `slack_file`, at any depth. */
export function slackFiles(value: unknown, pointer = ''): readonly SlackFile[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => slackFiles(item, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const inside = `${pointer}/${name}`;
    if (name !== 'slack_file' || !isJsonObject(field)) return slackFiles(field, inside);
    const source = field['id'] === undefined ? 'url' : 'id';
    // Those of a view begin without a slash.
    const shownPointer = `${inside.replace(/^\/view\//, 'view/')}.${source}/slack_file`;
    return [{ id: slackFileId(field), pointer: inside, shownPointer }];
  });
}

function slackFileId({ id, url }: JsonObject): string {
  return id === undefined ? (ADDRESS.exec(asString(url))?.[1] ?? '') : asString(id);
}
