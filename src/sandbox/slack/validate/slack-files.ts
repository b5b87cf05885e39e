/** Pictures that are files of the workspace (docs.slack.dev/reference/block-kit/composition-objects/slack-file-object). */
import { asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { type ValidationProblem, validationProblem } from './validation-problem.ts';

/** “Can be the `url_private` or the `permalink`”. */
const ADDRESS = /\/(?:files-pri\/\w+-|files\/\w+\/)(F\w+)\//;

/**
 * Every `slack_file` that is no picture of this workspace, in the words of the real one (slackapi/python-slack-sdk, issue
 * 1797).
 */
export function slackFileProblems(
  value: unknown,
  pointer: string,
  isPicture: (id: string) => boolean,
): readonly ValidationProblem[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => slackFileProblems(item, `${pointer}/${index}`, isPicture));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, field]) => {
    const inside = `${pointer}/${name}`;
    if (name !== 'slack_file' || !isJsonObject(field)) return slackFileProblems(field, inside, isPicture);
    return isPicture(slackFileId(field)) ? [] : validationProblem(inside, 'invalid slack file');
  });
}

function slackFileId({ id, url }: JsonObject): string {
  return id === undefined ? (ADDRESS.exec(asString(url))?.[1] ?? '') : asString(id);
}
