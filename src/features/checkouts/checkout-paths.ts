/** The addresses of payments at Stripe, which few pages load. */
export const checkoutPaths = {
  letIn: (id: string) => `/api/checkouts/${id}/let-in/` as const,
  refunds: (id: string) => `/api/checkouts/${id}/refunds/` as const,
  check: (id: string) => `/api/checkouts/${id}/check/` as const,
  problem: (id: string) => `/api/checkouts/${id}/problem/` as const,
};
