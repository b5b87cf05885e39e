/** An answer of Slack. */
export function jsonAnswer(body: unknown, { headers, ...init }: ResponseInit = {}): Response {
  const answer = Response.json(body, { ...init, headers: headers ?? {} });
  answer.headers.set('content-type', 'application/json; charset=utf-8');
  return answer;
}
