export const payloads: string[];
export function hostileReport(): unknown;
