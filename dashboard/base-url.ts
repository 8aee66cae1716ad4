/** The REST API's address as whoever looks at this page reaches it. */
export const apiBaseUrl = `${window.location.origin}/v1`;
