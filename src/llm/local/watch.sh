# Runs a server until the process that started it ends. The standard input is a pipe that
# nobody writes to; it closes when that process ends, for whatever reason. $@ is the server.
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
{ cat <&3; kill -9 $server; } >/dev/null 2>&1 &
exec 3<&-
wait $server
