/**
 * Members of a model call that are for the gateway, in every form of it. Vendors do not know them, and strict ones
 * answer 400.
 */
export const gatewayMembers: readonly string[] = [
  "debug",
  "models",
  "plugins",
  "preset",
  "provider",
  "route",
  "session_id",
  "stop_server_tools_when",
  "trace",
  "transforms",
];
