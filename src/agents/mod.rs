//! A folder for each agent: payload → tool call, verdict → reply.
