/** The service's words for what went well or wrong (shapes seen live, "in practice" 2.1). */
import type { z } from 'zod';

export type FieldProblems = Readonly<Record<string, readonly string[]>>;

/** 201 without a body: the id of what was made is not told. */
export const createdResponse = (): Response => new Response(null, { status: 201 });
export const noContentResponse = (): Response => new Response(null, { status: 204 });

export const unauthorizedResponse = (): Response => plainErrorResponse(401, 'Unauthorized');
export const forbiddenResponse = (): Response =>
  plainErrorResponse(
    403,
    'You do not have permission to perform this action. Please contact your system administrator for support.',
  );
export const notFoundResponse = (): Response => plainErrorResponse(404, 'Not found');

/** Keyed by the field that is wrong. */
export function invalidResponse(errors: FieldProblems): Response {
  return Response.json({ errors }, { status: 400 });
}

/** An error that no field is to blame for. */
export function plainErrorResponse(status: number, message: string): Response {
  return Response.json({ errors: [message] }, { status });
}

/** The shape of newer services (RFC 9457). */
export function problemResponse(status: number, title: string, detail: string, instance: string): Response {
  const type = 'about:blank';
  return Response.json(
    { type, title, status, detail, instance },
    { status, headers: { 'content-type': 'application/problem+json' } },
  );
}

/** What a schema finds wrong, by field. */
export function fieldProblemsOf(error: z.ZodError): FieldProblems {
  const problems: Record<string, string[]> = {};
  for (const { path, message } of error.issues) {
    const field = String(path[0] ?? 'body');
    problems[field] = [...(problems[field] ?? []), message];
  }
  return problems;
}
