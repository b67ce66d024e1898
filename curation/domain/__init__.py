"""The shared vocabulary: frozen types and pure rules; imports only `errors` below it."""
