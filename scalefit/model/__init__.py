"""The numbers: laws, noise, posterior and departures; they know neither files nor terminals."""
