# Reads everything but what the guards close. Writes only temporary
# directories. No network.
version = 1
name    = "readonly"

filesystem {
  read = ["/"]
}
network {
  mode = "none"
}
