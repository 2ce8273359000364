import type { Locator, Page, Request } from '@playwright/test';
import type { ErrorBody } from '#api/error-body.ts';

export const requestId = '3f1c0b1e-9a7d-4f57-8a51-0d3c7a1f2b4c';

export const internal = 'Something went wrong. Please try again.';

export function dialogCalled(page: Page, title: string): Locator {
  return page.getByRole('dialog', { name: title, exact: true });
}

/** Every later request to a path. */
export function requestsTo(page: Page, path: string): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) {
      requests.push(request);
    }
  });
  return requests;
}

type Answer = { status: number; errors?: string[]; headers?: Record<string, string> };

/** Fakes the next answer for a path; the worker gives all later ones. */
export async function answerOnce(page: Page, path: string, answer: Answer): Promise<void> {
  const { status, errors, headers = {} } = answer;
  const json: ErrorBody = {
    code: 'internal',
    message: internal,
    ...(errors && { errors }),
    request_id: requestId,
  };
  await page.route(path, (route) => route.fulfill({ status, headers, json }), { times: 1 });
}
