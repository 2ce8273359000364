type Invocation = { config: { requestsPerRun: number }; requests: { made: number } };

/** How many requests to D1 and Resend an invocation may still make. */
export function requestsLeft({ config, requests }: Invocation): number {
  return config.requestsPerRun - requests.made;
}

/** Whether a job of the clock may write more: half of the requests are left to send emails. */
export function mayWriteMore(invocation: Invocation): boolean {
  return requestsLeft(invocation) > invocation.config.requestsPerRun / 2;
}
