/** Pictures that are files of the workspace (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object). */
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

/** “Can be the `url_private` or the `permalink`”. */
const ADDRESS = /\/(?:files-pri\/\w+-|files\/\w+\/)(F\w+)\//;

type SlackFile = { readonly id: string; readonly pointer: string };

/**
 * Every `slack_file` that is no picture of this workspace, in the words of the real one (slackapi/python-slack-sdk, issue
 * 1797).
 */
export function slackFileProblems(
  value: unknown,
  pointer: string,
  isPicture: (id: string) => boolean,
): readonly ValidationProblem[] {
  return slackFiles(value, pointer)
    .filter(({ id }) => !isPicture(id))
    .flatMap((file) => validationProblem(file.pointer, 'invalid slack file'));
}

/** The file of every `slack_file`, at any depth. */
export function slackFiles(value: unknown, pointer = ''): readonly SlackFile[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => slackFiles(item, `${pointer}/${index}`));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const inside = `${pointer}/${name}`;
    if (name !== 'slack_file' || !isJsonObject(field)) return slackFiles(field, inside);
    return [{ id: slackFileId(field), pointer: inside }];
  });
}

function slackFileId({ id, url }: JsonObject): string {
  return id === undefined ? (ADDRESS.exec(asString(url))?.[1] ?? '') : asString(id);
}
